"""The worker's process: the only place outside the engine that imports it."""
