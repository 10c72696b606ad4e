"""How dates are written, by language; the `date` filter of templates takes them by name."""
