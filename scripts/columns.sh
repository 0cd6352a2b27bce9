#!/bin/sh
# Fails when a line of what is written here is longer than 100 columns; a tab counts as four.
set -eu
cd "$(dirname "$0")/.."

# Not checked: what others or programs wrote, pictures, the rows of Markdown tables, and fields with
# tags in Go, which can't be wrapped. A line may be longer when it is one word, such as a URL.
git ls-files -z -- . ':!*.png' ':!*.ico' ':!*/vendor/*' ':!*/dist/*' ':!*.sum' ':!*.mod' \
	':!*package-lock.json' ':!*/clickread/testdata/*' ':!*.tsv' ':!*.gz' \
	':!*/testdata/version1.sql' |
	LC_ALL=C xargs -0 awk '
		FNR == 1 {
			go = FILENAME ~ /\.go$/
			markdown = FILENAME ~ /\.md$/
		}
		markdown && /^ *\|/ || go && /^\t[A-Z][A-Za-z]* +[^ ]+ +`[a-z]+:".*"`$/ { next }
		{
			line = $0
			gsub(/\t/, "    ", line)
			gsub(/[\200-\277]/, "", line) # all bytes of a character but its first
			if (length(line) <= 100 || NF == 1 || NF == 2 && $1 ~ /^([-*#]|\/\/)$/) next
			printf "%s:%d: %d columns\n", FILENAME, FNR, length(line)
			found = 1
		}
		END { exit found }'
