#!/bin/sh
# Bundles the dashboard's modules in internal/web/src into files for browsers, named by their
# content, in the given directory. `go generate ./internal/web` writes internal/web/dist, which is
# checked in, so that `go build` needs none of this.
set -eu
out=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")/../internal/web/src"
rm -f "$out"/*

bundle() {
	go tool -modfile=../../../tools.mod esbuild "$@" \
		--bundle --splitting --format=esm --target=es2022 --minify --charset=utf8 \
		--legal-comments=none --log-level=warning \
		--alias:preact=./vendor/preact.mjs --alias:preact/hooks=./vendor/preact-hooks.mjs \
		--alias:htm=./vendor/htm.mjs --alias:lean-qr=./vendor/lean-qr.mjs \
		--alias:client-zip=./vendor/client-zip.mjs --alias:world=./vendor/world.mjs \
		--loader:.svg=copy --loader:.png=copy \
		--entry-names=[name]-[hash] --chunk-names=[name]-[hash] --outdir="$out"
}

# An import() is loaded on demand, everything else at first. The parts that are loaded on demand
# import app.js, so that it is one file, not one for each set of parts that share it. Such a part
# may bring a style of its own, as a text.
bundle app.js --inject:./app.js --loader:.css=text
bundle share.js first.js style.css icon.svg icon-192.png icon-512.png icon-maskable.png
