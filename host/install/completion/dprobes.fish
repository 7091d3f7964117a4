# SPDX-License-Identifier: BSD-2-Clause
# Completion of dprobes for fish: the command itself knows the words.
function __dprobes_words
    set -l given (commandline -opc)
    set -l current (commandline -ct)
    set -l tool (string replace -r -- '^~/' "$HOME/" $given[1])
    for line in ($tool complete $given[2..-1] "$current" 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path (string replace -r -- '^--[^=]*=' '' "$current")
        else
            echo $line
        end
    end
end
complete -c dprobes -f -a '(__dprobes_words)'
