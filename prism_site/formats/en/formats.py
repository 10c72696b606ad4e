"""Dates of English pages: the month in letters, since its place in a number differs from country to country."""

SHORT_DATE_FORMAT = "j M Y"
SHORT_DATETIME_FORMAT = "j M Y, H:i"
