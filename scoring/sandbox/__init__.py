"""Where strangers' code runs: forked children of a warmed parent, behind limits, answering on a private channel.

``host`` starts and asks, ``worker`` (another process) runs, ``messages`` is all that travels between them.
"""
