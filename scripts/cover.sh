#!/bin/sh
# Usage: cover.sh PROFILE [PERCENT PACKAGE...]
# Prints the percentage of each package's statements that a coverage profile covers. Fails if a
# named package is below the given percentage, or not in the profile.
set -eu
profile=$1
bound=${2:-0}
[ $# -lt 2 ] || shift
shift
awk -v bound="$bound" -v named="$*" '
NR == 1 { next } # the header with the mode
{
	# path/file.go:12.3,14.2 statements count
	package = $1
	sub(/\/[^\/]*$/, "", package)
	all[package] += $2
	total += $2
	if ($3 > 0) { run[package] += $2; totalrun += $2 }
}
END {
	if (!bound) {
		for (p in all) printf "%6.1f %%  %s\n", 100 * run[p] / all[p], p | "sort -k 3"
		close("sort -k 3")
		if (total) printf "%6.1f %%  of their statements\n", 100 * totalrun / total
	}
	n = split(named, want, " ")
	for (i = 1; i <= n; i++) {
		percent = all[want[i]] ? 100 * run[want[i]] / all[want[i]] : 0
		if (percent < bound) {
			printf "%s: %.1f %% of its statements are covered, want %s %%\n",
				want[i], percent, bound > "/dev/stderr"
			low = 1
		}
	}
	exit low
}' "$profile"
