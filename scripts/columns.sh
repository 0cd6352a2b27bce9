#!/bin/sh
# Fails if a line in the repository is longer than 100 columns; a tab counts as four.
set -eu
cd "$(dirname "$0")/.."

# Not checked: third-party and generated files, pictures, translations, the dashboard of Grafana,
# rows of Markdown tables, and fields with tags in Go, which can't be wrapped. Except in Go, a line
# that is a single word may be longer, such as a URL.
git ls-files -z -- . ':!*.png' ':!*.jpg' ':!*.ico' ':!*/vendor/*' ':!*/dist/*' ':!*.sum' ':!*.mod' \
	':!*package-lock.json' ':!*/clickread/testdata/*' ':!*.tsv' ':!*.gz' \
	':!*/testdata/version1.sql' ':!*/testdata/products/*' ':!*/dashboard.json' \
	':!internal/visit/redirect/words/*.json' |
	LC_ALL=C xargs -0 awk '
		FNR == 1 {
			go = FILENAME ~ /\.go$/
			markdown = FILENAME ~ /\.md$/
		}
		markdown && /^ *\|/ || go && /^\t[A-Z][A-Za-z]* +[^ ]+ +`[a-z]+:".*"`$/ { next }
		{
			line = $0
			gsub(/\t/, "    ", line)
			gsub(/[\200-\277]/, "", line) # all but the first byte of a character
			if (length(line) <= 100 || !go && NF == 1 || NF == 2 && $1 ~ /^([-*#]|\/\/)$/) next
			printf "%s:%d: %d columns\n", FILENAME, FNR, length(line)
			found = 1
		}
		END { exit found }'
