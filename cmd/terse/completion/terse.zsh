#compdef terse
# Completion of terse for zsh. In ~/.zshrc, behind compinit: source <(terse completion zsh)
# Or as the file _terse in a folder of $fpath.
_terse() {
	local value help files
	local -a values
	while IFS=$'\t' read -r value help; do
		if [[ $value == :files ]]; then
			files=1
		else
			values+=("${value//:/\\:}${help:+:$help}")
		fi
	done < <(${(Q)~words[1]} __complete -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)

	if [[ -n $files ]]; then
		compset -P '--*='
		_files
	elif (($#values)); then
		_describe -V terse values
	fi
}
if [[ $funcstack[1] == _terse ]]; then
	_terse "$@"
else
	compdef _terse terse
fi
