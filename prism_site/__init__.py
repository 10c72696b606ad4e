"""Wiring of the site: settings, URLs, health, system checks. No rule of the method lives here."""

__version__ = "0.1.0"
