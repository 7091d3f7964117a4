# SPDX-License-Identifier: BSD-2-Clause
# Completion of dprobes for bash: the command itself knows the words.
_dprobes()
{
	local line name last
	local -a words=("${COMP_WORDS[@]:0:COMP_CWORD+1}")
	COMPREPLY=()
	# The words are as typed: without the quotes of the shell they name files.
	last=${words[COMP_CWORD]}
	words=("${words[@]//[\\\"\']/}")
	words[COMP_CWORD]=$last
	while IFS= read -r line; do
		if [ "$line" = :files ]; then
			compopt -o filenames 2>/dev/null
			while IFS= read -r name; do
				COMPREPLY+=("$name")
			done < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]#=}")
		else
			COMPREPLY+=("${line%%$'\t'*}")
		fi
	done < <("${words[0]/#~\//$HOME/}" complete "${words[@]:1}" 2>/dev/null)
}
complete -F _dprobes dprobes
