"""Engines behind one contract (``base``). Axes never see an engine, engines never see a threshold's meaning."""
