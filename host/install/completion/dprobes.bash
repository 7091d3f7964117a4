# SPDX-License-Identifier: BSD-2-Clause
# Completion of dprobes for bash: the command itself knows the words.
_dprobes()
{
	local line name
	COMPREPLY=()
	while IFS= read -r line; do
		if [ "$line" = :files ]; then
			compopt -o filenames 2>/dev/null
			while IFS= read -r name; do
				COMPREPLY+=("$name")
			done < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]#=}")
		else
			COMPREPLY+=("${line%%$'\t'*}")
		fi
	done < <("${COMP_WORDS[0]}" complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _dprobes dprobes
