#!/bin/sh
# Usage: fuzz.sh TIME
# Runs every fuzz test of the module for a time such as 10s; go test takes one at a time.
set -eu
grep -r --include='*_test.go' '^func Fuzz' . |
	sed -n 's|^\(.*\)/[^/]*_test\.go:func \(Fuzz[A-Za-z0-9_]*\)(.*|\1 \2|p' | sort |
	while read -r package name; do
		echo "$package $name"
		go test -run '^$' -fuzz "^$name\$" -fuzztime "$1" -fuzzminimizetime 10x \
			"$package" </dev/null
	done
