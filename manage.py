#!/usr/bin/env python
"""Django's command line; `python manage.py help scoring` lists PRISM's own commands."""

import os
import sys

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "prism_site.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        # A wrong setting is the reader's to mend: the message says how, forty lines of frames don't.
        if "--traceback" in sys.argv:
            raise
        sys.exit(f"not configured: {error}")
