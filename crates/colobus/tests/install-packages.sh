#!/bin/sh
# Installs Playwright, which runs exported tests, at the version of package-lock.json. Does nothing if it is there.
set -eu
cd "$(dirname "$0")/packages"
stamp=node_modules/.installed-lock
if [ -f "$stamp" ] && cmp -s package-lock.json "$stamp"; then
    exit 0
fi
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
cp package-lock.json "$stamp"
