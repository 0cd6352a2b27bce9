#!/bin/sh
# Copies all links of one server to another through the API, with their short codes, but without
# their dates and clicks. It can be run again: existing links are left as they are. It needs curl
# and jq, and is fastest with API_RATE_LIMIT_PER_MINUTE=0 on both servers.
#
#   OLD=http://old:8080 OLD_TOKEN=… NEW=http://new:8080 NEW_TOKEN=… scripts/copy-links.sh
#
# It reports each link that it could not copy, continues with the others, and exits with 1 at the
# end.
set -eu
: "${OLD:?base URL of the server to copy from}" "${OLD_TOKEN:?its token}"
: "${NEW:?base URL of the server to copy to}" "${NEW_TOKEN:?its token}"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
# In files, because everyone on the machine can see a command's arguments.
printf 'Authorization: Bearer %s\n' "$OLD_TOKEN" >"$dir/old"
printf 'Authorization: Bearer %s\n' "$NEW_TOKEN" >"$dir/new"

# ask OLD_OR_NEW URL [CURL_ARGUMENT...] writes the body to $dir/answer and prints the status, 000
# without an answer. curl waits and retries after 429, 500 and the like.
ask() {
	token=$dir/$1 address=$2
	shift 2
	: >"$dir/answer"
	curl -sS --retry 5 --max-time 60 -H "@$token" -o "$dir/answer" -w '%{http_code}' \
		"$@" "$address" || true
}

# answer FILTER applies a jq filter to the last answer, if that is JSON.
answer() { jq -r "$1" "$dir/answer" 2>/dev/null || true; }

# copy LINK creates a link, unless it exists already.
copy() {
	status=$(ask new "$NEW/api/urls" -d "$1")
	case $status in
	201)
		created=$((created + 1))
		return
		;;
	401 | 000)
		echo "no links can be created at $NEW: $status $(answer .error)" >&2
		exit 1
		;;
	409)
		code=$(printf '%s' "$1" | jq -r .short_code) url=$(printf '%s' "$1" | jq -r .original_url)
		if [ "$(ask new "$NEW/api/urls/$code")" = 200 ] &&
			[ "$(answer .original_url)" = "$url" ]; then
			present=$((present + 1))
			return
		fi
		reason="409 the short code leads elsewhere"
		;;
	*) reason="$status $(answer .error)" ;;
	esac
	failed=$((failed + 1))
	echo "not copied: $1: $reason" >&2
}

created=0 present=0 failed=0 cursor=
while :; do
	status=$(ask old "$OLD/api/urls?limit=100&sort=oldest$cursor")
	if [ "$status" != 200 ]; then
		echo "the links of $OLD can't be listed: $status $(answer .error)" >&2
		exit 1
	fi
	jq -c '.urls[] | {original_url, short_code}' "$dir/answer" >"$dir/links"
	cursor=$(answer '.next_cursor // empty')
	while IFS= read -r link; do
		copy "$link"
	done <"$dir/links"
	[ -n "$cursor" ] || break
	cursor="&cursor=$cursor"
done
echo "$created links copied, $present were there, $failed failed"
[ "$failed" -eq 0 ]
