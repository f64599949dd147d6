# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Completion of the command shunt, for bash. What there is to complete comes from the command that
# is being typed: commands and options from "shunt help --options", a line each with tabs between
# name, letter, argument, words and sentence; algorithms and parameters from "shunt algorithms".

# _shunt_commands COMMAND-NAME: the commands, one per line.
_shunt_commands() {
    "$1" help --options 2>/dev/null | cut -f 1
    echo help
}

# _shunt_options COMMAND-NAME COMMAND: its long options, those that take a value with "=" behind it.
_shunt_options() {
    "$1" help --options "$2" 2>/dev/null |
        awk -F '\t' '{ print "--" $1 ($3 == "" ? "" : "=") } END { print "--help" }'
}

# _shunt_field COMMAND-NAME COMMAND OPTION FIELD: what the list says of an option with a value.
_shunt_field() {
    "$1" help --options "$2" 2>/dev/null |
        awk -F '\t' -v name="$3" -v field="$4" '"--" $1 == name && $3 != "" { print $field }'
}

# _shunt_algorithms COMMAND-NAME [OPERATION]: names of those that serve the operation.
_shunt_algorithms() {
    "$1" algorithms --wide 2>/dev/null | awk -v operation="${2:-}" '
        operation == "" || index("," $2 ",", "," operation ",") { print $1 }'
}

# _shunt_parameters COMMAND-NAME ALGORITHM: "radix=", one per line.
_shunt_parameters() {
    "$1" algorithms --wide 2>/dev/null | awk -v name="$2" '
        $1 != name { next }
        { for (i = 3; i <= NF && $i ~ /^[a-z_]+=/; i++) { sub("=.*", "=", $i); print $i } }'
}

# _shunt_algorithm COMMAND-NAME TEXT [OPERATION]: NAME[:PARAMETER=VALUE]..., as far as it is typed.
_shunt_algorithm() {
    local before parameter
    case $2 in
    *:*)
        case ${2##*:} in *=*) return ;; esac
        before=${2%:*}
        for parameter in $(_shunt_parameters "$1" "${2%%:*}"); do echo "$before:$parameter"; done
        ;;
    *) _shunt_algorithms "$1" "${3:-}" ;;
    esac
}

# _shunt_machines COMMAND-NAME: names of installed descriptions, as an unknown one is answered.
_shunt_machines() {
    "$1" predict --op=alltoall --ranks=1 --ppn=1 --block=1 --machine=? 2>&1 |
        sed -n 's/.*: there are \([^("]*\) (.*/\1/p' | sed 's/,/ /g; s/ and / /g' |
        tr ' ' '\n' | grep .
}

# _shunt_value COMMAND-NAME COMMAND OPTION TEXT: what the value of an option may be, of which the
# text is typed. Values of lists come one after the other.
_shunt_value() {
    local before='' last=$4 candidate words argument operations='alltoall alltoallv'
    argument=$(_shunt_field "$1" "$2" "$3" 3) words=$(_shunt_field "$1" "$2" "$3" 4)
    case $4 in *,*) before=${4%,*}, last=${4##*,} ;; esac
    case $3=$argument in
    *=) ;;
    --force=*)
        case $last in
        *=*) for candidate in $(_shunt_algorithm "$1" "${last#*=}" "${last%%=*}"); do
            echo "$before${last%%=*}=$candidate"
        done ;;
        *) for candidate in $operations; do echo "$before$candidate="; done ;;
        esac
        ;;
    --algorithm=NAMES)
        for candidate in $(_shunt_algorithms "$1"); do echo "$before$candidate"; done
        ;;
    --algorithm=*)
        for candidate in $(_shunt_algorithm "$1" "$last"); do echo "$before$candidate"; done
        ;;
    --op=LIST) for candidate in $operations; do echo "$before$candidate"; done ;;
    --machine=FILE)
        _shunt_machines "$1"
        compgen -f -- "$4"
        ;;
    *=FILE) compgen -f -- "$4" ;;
    *) [ -z "$words" ] || tr , '\n' <<<"$words" ;;
    esac
}

# _shunt_candidates COMMAND-NAME COMMAND TEXT: everything that the word may be.
_shunt_candidates() {
    case $2:$3 in
    :-*) "$1" --help 2>/dev/null | grep -oE -e '--[a-z]+' ;;
    :*) _shunt_commands "$1" ;;
    help:*) _shunt_commands "$1" | grep -vx help ;;
    *:--*=*)
        _shunt_value "$1" "$2" "${3%%=*}" "${3#*=}" | sed "s/^/${3%%=*}=/"
        ;;
    *:-*) _shunt_options "$1" "$2" ;;
    run:*) compgen -c -- "$3" ;;
    *) compgen -f -- "$3" ;;
    esac
}

# Of the words of the line, bash breaks some in pieces ("=" and ":"), and replaces the last piece.
_shunt() {
    local typed=${COMP_LINE:0:COMP_POINT} command='' word pieces candidate i
    COMPREPLY=()
    typed=${typed##*[[:space:]]}
    [ "$COMP_CWORD" -gt 1 ] && command=${COMP_WORDS[1]}
    # Behind the program that is to be started everything belongs to that program.
    if [ "$command" = run ]; then
        for ((i = 2; i < COMP_CWORD; i++)); do
            word=${COMP_WORDS[i]}
            case $word in
            --) return ;;
            -* | '=' | ':') ;;
            *) case ${COMP_WORDS[i - 1]} in '=' | ':') ;; *) return ;; esac ;;
            esac
        done
    fi
    pieces=${typed%"${typed##*[=:]}"}
    while IFS= read -r candidate; do
        COMPREPLY+=("${candidate#"$pieces"}")
    done < <(_shunt_candidates "$1" "$command" "$typed" |
        awk -v typed="$typed" 'index($0, typed) == 1' | sort -u)
    # More is to be typed behind these.
    case ${#COMPREPLY[@]}:${COMPREPLY[0]:-} in
    1:*=) compopt -o nospace 2>/dev/null ;;
    esac
}

complete -o default -F _shunt shunt
