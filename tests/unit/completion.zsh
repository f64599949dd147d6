# SPDX-License-Identifier: BSD-3-Clause
# completion.zsh FOLDER-OF-COMPLETION FOLDER: types lines into an interactive zsh and writes what it
# completes: FOLDER/lines has one line each, FOLDER/found.N gets the words for line N.
zmodload zsh/zpty || exit 77
completion=$1 folder=$2

# until_there FILE: the shell at the other end has written it.
until_there()
{
    local i
    for (( i = 0; i < 3000; i++ )); do
        [[ ! -e $1 ]] || return 0
        # What it prints must be taken away, or it waits.
        while zpty -rt shell waste 2>/dev/null; do :; done
        sleep 0.02
    done
    print -u2 "no answer of zsh for $1"
    exit 1
}

cat >$folder/setup.zsh <<END
PS1= fpath=(${(q)completion} \$fpath)
autoload -Uz compinit
compinit -u -d ${(q)folder}/dump
zstyle ':completion:*' completer _complete
unsetopt beep
number=0
# What matches is written down and not inserted.
compadd()
{
    local -a matching
    if [[ \${@[1,(i)(-|--)]} == *-[OAD](| *)* ]]; then
        builtin compadd "\$@"
        return
    fi
    builtin compadd -A matching "\$@"
    (( \$#matching == 0 )) || print -rl -- \$IPREFIX\$^matching >>${(q)folder}/found
    return 0
}
write_found()
{
    (( ++number ))
    : >>${(q)folder}/found
    mv ${(q)folder}/found ${(q)folder}/found.\$number
}
complete_line()
{
    comppostfuncs=(write_found)
    zle complete-word
    BUFFER=
}
zle -N complete_line
bindkey '^I' complete_line
: >${(q)folder}/ready
END

TERM=dumb zpty shell zsh -f -i
zpty -w shell "source $folder/setup.zsh"
until_there $folder/ready
number=0
while IFS= read -r line; do
    zpty -w -n shell "$line"$'\t'
    until_there $folder/found.$(( ++number ))
done <$folder/lines
zpty -d shell
