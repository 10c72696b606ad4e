# OneScript for PRISM_ENGINE_A=onescript: a release of the project, pinned.
#   1. docker build -f docker/onescript.Dockerfile -t prism-onescript .
#   2. PRISM_ONESCRIPT_IMAGE=prism-onescript PRISM_ENGINE_A=onescript python manage.py doctor
# An archive of your own (self-contained, linux-x64) in docker/onescript/, which git ignores, is taken instead of the download; with the
# base image and its packages in Docker's cache that build needs no network.
# ONESCRIPT_URL follows the form in which the project names its archives; neither it nor a checksum was verified by PRISM's authors. A
# build without ONESCRIPT_SHA256 prints what it got, to be pinned; in any case it fails unless the program tells the version wanted.
FROM debian:bookworm-slim
ARG ONESCRIPT_VERSION=2.0.1
ARG ONESCRIPT_URL=https://github.com/EvilBeaver/OneScript/releases/download/v${ONESCRIPT_VERSION}/OneScript-${ONESCRIPT_VERSION}-linux-x64.zip
ARG ONESCRIPT_SHA256=
LABEL prism.onescript.version=$ONESCRIPT_VERSION
# The culture of the recorded runs is the invariant one *of ICU*: `C` as the locale means that culture to .NET, with strings in the
# order of Unicode's collation. Without ICU (or with invariant globalization) they would be ordered by code: "Б" before "а". Under
# ru_RU texts of booleans, dates and messages would be others. `doctor` finds both by its self-test.
ENV LANG=C.UTF-8 LC_ALL=C.UTF-8 DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=0
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates curl unzip libicu72 libssl3 libgcc-s1 libstdc++6 zlib1g tzdata \
 && rm -rf /var/lib/apt/lists/*
COPY docker/onescript/ /tmp/onescript/
RUN sh /tmp/onescript/install.sh && rm -rf /tmp/onescript
# The adapter names a user of its own for every run; by hand it is nobody, too.
USER 65534:65534
WORKDIR /tmp
CMD ["oscript", "-version"]
