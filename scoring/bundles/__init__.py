"""Task bundles: the format, read strictly, into frozen records. See :mod:`scoring.bundles.loader`."""

from scoring.bundles.loader import Loaded, load_files, load_folder, load_tree
from scoring.bundles.model import TaskBundle

__all__ = ["Loaded", "TaskBundle", "load_files", "load_folder", "load_tree"]
