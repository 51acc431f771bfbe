#!/bin/sh
# Installs the editors that the tests drive, at the versions of package-lock.json, and bundles them into one script. Does
# nothing if that was done already.
set -eu
cd "$(dirname "$0")/packages"
stamp=node_modules/.installed
wanted=$(cat package-lock.json editors.js | cksum)
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ]; then
    exit 0
fi
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
node_modules/.bin/esbuild editors.js --bundle --outfile=node_modules/editors-bundle.js --log-level=warning
echo "$wanted" > "$stamp"
