# The built-in engine's worker, for PRISM_SANDBOX=docker:  docker build -f docker/sandbox.Dockerfile -t prism-sandbox .
FROM python:3.12-slim
RUN pip install --no-cache-dir "PyYAML>=6"
COPY scoring /opt/prism/scoring
# The container's root is read-only: bytecode is made here, or anew at every start.
RUN python3 -m compileall -q /opt/prism/scoring
WORKDIR /opt/prism
USER 65534:65534
