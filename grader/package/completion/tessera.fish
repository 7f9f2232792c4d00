# fish: what `tessera complete` prints for the words so far, else files.
function __tessera_complete
    set -l words (commandline --tokenize --cut-at-cursor --current-process)
    set -l found ($words[1] complete $words[2..-1] (commandline --current-token --cut-at-cursor) 2>/dev/null)
    if set -q found[1]
        printf '%s\n' $found
    else
        __fish_complete_path (commandline --current-token)
    end
end
complete --command tessera --no-files --arguments '(__tessera_complete)'
