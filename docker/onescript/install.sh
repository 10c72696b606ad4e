#!/bin/sh
# Installs OneScript from the archive beside this script, or from ONESCRIPT_URL where there is none. Fails unless the program that
# comes out of it tells ONESCRIPT_VERSION. Needs unzip, and curl for a download.
set -eu
: "${ONESCRIPT_VERSION:?which release?}"
target=${ONESCRIPT_TARGET:-/opt/onescript}
programs=${ONESCRIPT_PROGRAMS:-/usr/local/bin}
here=$(cd "$(dirname "$0")" && pwd)
fail() { echo "onescript: $1" >&2; exit 1; }

set -- "$here"/*.zip
[ "$#" -eq 1 ] || fail "$# archives lie in docker/onescript/: leave one"
archive=$1
if [ ! -f "$archive" ]; then
    archive=$(mktemp)
    trap 'rm -f "$archive"' EXIT
    curl -fsSL --retry 3 -o "$archive" "${ONESCRIPT_URL:?no archive in docker/onescript/ and no ONESCRIPT_URL}" \
        || fail "no archive at $ONESCRIPT_URL: look for the linux-x64 archive of release $ONESCRIPT_VERSION and name it in ONESCRIPT_URL, or put it into docker/onescript/"
fi

sum=$(sha256sum "$archive" | cut -d ' ' -f 1)
if [ -n "${ONESCRIPT_SHA256:-}" ]; then
    [ "$sum" = "$ONESCRIPT_SHA256" ] || fail "the archive's sha256 is $sum, expected $ONESCRIPT_SHA256"
else
    echo "onescript: the archive was compared with no checksum. Its sha256 is $sum: pin it by --build-arg ONESCRIPT_SHA256=$sum" >&2
fi

mkdir -p "$target" "$programs"
unzip -q -o "$archive" -d "$target" || fail "the archive is damaged, or no zip"
program=$(find "$target" -type f -name oscript | sort | head -n 1)
[ -n "$program" ] || fail "the archive holds no program oscript: is it the one for linux-x64?"
chmod -R a+rX "$target"
chmod a+x "$program"
echo "$sum" >"$target/archive.sha256"

said=$("$program" -version 2>&1) || fail "oscript does not start: $said"
pattern=$(printf '%s' "$ONESCRIPT_VERSION" | sed 's/\./\\./g')
printf '%s\n' "$said" | grep -Eq "(^|[^0-9.])$pattern([^0-9.]|\$)" || fail "the program says it is '$said', expected $ONESCRIPT_VERSION"
ln -sf "$program" "$programs/oscript"
echo "onescript: $said"
