#!/bin/sh
# Installs the npm packages that the tests check, at the versions of package-lock.json. Does nothing if they are there.
set -eu
cd "$(dirname "$0")/packages"
stamp=node_modules/.installed-lock
if [ -f "$stamp" ] && cmp -s package-lock.json "$stamp"; then
    exit 0
fi
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
cp package-lock.json "$stamp"
