"""Networks write the answers: catalogue, channels, schema tools, budget. Pure of Django; ``services.generation`` stores.

Hidden tests, references, fixtures and canaries are not reachable from here: a :class:`~scoring.generation.dialogue.Brief`
is made of the condition, the signature and, through the tools, the names and types of the metadata.
"""
