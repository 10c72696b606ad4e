"""For every test: whatever workers they start plan no nightly cross-check, at whichever hour the suite runs."""

from __future__ import annotations

import os

os.environ["PRISM_CROSS_CHECK"] = "off"
