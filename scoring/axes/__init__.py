"""The four axes: pure functions of evidence and protocol. Each lives in its own module and names its oracle's facts."""
