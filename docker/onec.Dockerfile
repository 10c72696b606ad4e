# 1C:Enterprise for PRISM_ENGINE_B=onec, out of your own distribution (it is no part of PRISM).
#   1. put the platform's .deb packages into docker/onec/ (the training version will do; so will common + server + client)
#   2. docker build -f docker/onec.Dockerfile --build-arg ONEC_VERSION=8.3.27.1508 -t prism-onec .
#   3. PRISM_ONEC_IMAGE=prism-onec PRISM_ENGINE_B=onec python manage.py doctor
FROM debian:bookworm-slim
ARG ONEC_VERSION
LABEL prism.onec.version=$ONEC_VERSION
COPY docker/onec/ /tmp/onec/
RUN test -n "$ONEC_VERSION" && ls /tmp/onec/*.deb >/dev/null \
 && apt-get update \
 && apt-get install -y --no-install-recommends xvfb locales libgtk-3-0 libwebkit2gtk-4.0-37 fontconfig fonts-dejavu-core /tmp/onec/*.deb \
 && sed -i 's/# ru_RU.UTF-8/ru_RU.UTF-8/' /etc/locale.gen && locale-gen \
 && program=$(find /opt -type f \( -name 1cv8t -o -name 1cv8 \) | sort | tail -1) && test -n "$program" \
 && ln -s "$program" /usr/local/bin/1cv8t \
 && rm -rf /tmp/onec /var/lib/apt/lists/*
ENV LANG=ru_RU.UTF-8
