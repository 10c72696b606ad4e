"""Pages of review: access, parse, one service call, respond."""
