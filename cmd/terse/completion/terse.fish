# Completion of terse for fish. In ~/.config/fish/config.fish: terse completion fish | source
# Or as the file terse.fish in ~/.config/fish/completions.
function __terse_complete
	set -l words (commandline -opc)
	set -l word (commandline -ct)
	set -l lines (eval $words[1] __complete -- (string escape -- $words[2..-1] "$word") 2>/dev/null)
	if test "$lines" = :files
		__fish_complete_path (string replace -r '^--[^=]*=' '' -- "$word")
	else
		printf '%s\n' $lines
	end
end
complete -c terse -f -a '(__terse_complete)'
