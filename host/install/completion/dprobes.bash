# SPDX-License-Identifier: BSD-2-Clause
# Completion of dprobes for bash: the command itself knows the words.
_dprobes()
{
	local line name last at
	local -a words=("${COMP_WORDS[@]:0:COMP_CWORD+1}")
	COMPREPLY=()
	# bash splits a probe description at its colons, which must be one word again.
	at=$COMP_CWORD last=${words[at]#[\"\']}
	while [[ $at -gt 1 && ( ${words[at]} == :* || ${words[at-1]} == *: ) ]]; do
		at=$((at - 1))
		last=${words[at]}$last
	done
	words=("${words[@]:0:at}" "$last")
	# The words are as typed: without the quotes of the shell they name files.
	words=("${words[@]//[\\\"\']/}")
	words[at]=$last
	while IFS= read -r line; do
		if [ "$line" = :files ]; then
			compopt -o filenames 2>/dev/null
			while IFS= read -r name; do
				COMPREPLY+=("$name")
			done < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]#=}")
		else
			line=${line%%$'\t'*}
			# What stands in front of the last colon is typed, but not between quotes.
			[[ $at -lt $COMP_CWORD ]] && line=${line#"${last%"${last##*:}"}"}
			COMPREPLY+=("$line")
		fi
	done < <("${words[0]/#~\//$HOME/}" complete "${words[@]:1}" 2>/dev/null)
}
complete -F _dprobes dprobes
