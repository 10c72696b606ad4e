"""The engine's only door.

    session = Session("onescript", limits=Limits(operations=1_000_000))
    findings = session.check(Source(text))            # list[Diagnostic], empty = compiles
    module = session.load(Source(text, "<module>"))   # raises CompileFailed
    value = session.call(module, "Имя", [arguments])  # BslRuntimeError | LimitReached | NotSupported
    session.counters.operations                        # spent so far

(Owner: compiler. The signatures below are the contract for sandbox and commands.)
"""
