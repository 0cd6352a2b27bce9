# Completion of terse for bash. In ~/.bashrc: source <(terse completion bash)
_terse() {
	local words=() files= line value help i
	# Bash splits words at = and :, which terse does not.
	for ((i = 1; i <= COMP_CWORD; i++)); do
		if ((i > 1)) && [[ ${COMP_WORDS[i]} == [=:]* || ${COMP_WORDS[i - 1]} == [=:]* ]]; then
			words[${#words[@]} - 1]+=${COMP_WORDS[i]}
		else
			words+=("${COMP_WORDS[i]}")
		fi
	done
	local word=${words[${#words[@]} - 1]}
	local before=${word%"${word##*[=:]}"}

	local values=() shown=()
	while IFS=$'\t' read -r value help; do
		if [[ $value == :files ]]; then
			files=1
		else
			values+=("${value#"$before"}")
			shown+=("${value#"$before"}${help:+  ($help)}")
		fi
	done < <("${COMP_WORDS[0]/#\~/$HOME}" __complete -- "${words[@]}" 2>/dev/null)

	COMPREPLY=("${values[@]}")
	if [[ ${COMP_TYPE:-} == 63 ]] && ((${#values[@]} > 1)); then # it only lists them
		COMPREPLY=("${shown[@]}")
	fi
	if [[ $files ]]; then
		compopt -o default 2>/dev/null || COMPREPLY=($(compgen -f -- "${word#"$before"}"))
	fi
}
complete -F _terse terse
