# SPDX-License-Identifier: MIT
# Completion of pmuscope's commands, options and names for bash. Commands and options are taken from
# its help, names from its lists, so that they are those of the pmuscope that is called.

# Commands, or those of a command: the indented words of the help.
_pmuscope_commands() {
	"$1" help "${@:2}" 2>/dev/null | sed -n '/^examples\{0,1\}:/q; s/^  \([a-z]\{1,\}\)  *[a-z].*/\1/p'
}

# Options of a command: what starts with a dash in its help, before the examples.
_pmuscope_options() {
	case $2 in topdown | stat) _pmuscope_options "$1" live ;; esac
	"$1" help "${@:2}" 2>/dev/null | sed '/^examples\{0,1\}:/,$d' |
		grep -Eo -- '(^|[ ,])--?[A-Za-z][a-z-]*' | tr -d ' ,' | sort -u
}

# Names of lists, of the CPU that the line names.
_pmuscope_names() {
	local pmuscope=$1 list
	shift
	for list in $1; do
		"$pmuscope" list "$list" --names "${@:2}" 2>/dev/null
	done
}

# Numbers of the modelled core that can be set.
_pmuscope_parameters() {
	"$1" core show -x ';' "${@:2}" 2>/dev/null | sed '1d; s/;.*//'
}

# Functions of the program that stands further on in the line.
_pmuscope_functions() {
	local word
	for word in "${COMP_WORDS[@]:COMP_CWORD + 1}"; do
		[ ! -f "$word" ] || nm --defined-only "$word" 2>/dev/null | sed -n 's/^[0-9a-f]* [TtWw] //p'
	done
}

# Offer sessions and folders, and every file where there is no session.
_pmuscope_sessions() {
	_pmuscope_files -d
	local folders=("${COMPREPLY[@]}")
	mapfile -t COMPREPLY < <(compgen -f -X '!*.pms' -- "$cur")
	if [ "${#COMPREPLY[@]}" -eq 0 ]; then
		_pmuscope_files -f
	else
		COMPREPLY+=("${folders[@]}")
	fi
}

# Offer those of the words that start like the current one: as it is written, else in any case. Of
# a list with commas, the last item is completed.
_pmuscope_offer() {
	local words=$1 item=$cur before=''
	if [ "${2-}" = list ] && [[ $cur == *,* ]]; then
		before=${cur%,*},
		item=${cur##*,}
	fi
	mapfile -t COMPREPLY < <(compgen -P "$before" -W "$words" -- "$item")
	if [ "${#COMPREPLY[@]}" -eq 0 ] && [ -n "$item" ]; then
		mapfile -t COMPREPLY < <(shopt -s nocasematch
			for word in $words; do
				[[ $word != "$item"* ]] || printf '%s\n' "$before$word"
			done)
	fi
}

_pmuscope_files() {
	compopt -o filenames 2>/dev/null || : # not while tested
	mapfile -t COMPREPLY < <(compgen "$1" -- "$cur")
}

# The value of an option. Returns 1 when the word before is none that takes a value.
_pmuscope_value() {
	case $prev in
	--mcpu) _pmuscope_offer "$(_pmuscope_names "$pmuscope" cpus) $([ "$command" != search ] || echo all)" ;;
	-e | --event) _pmuscope_offer "$(_pmuscope_names "$pmuscope" events "${cpu[@]}")" list ;;
	-M | --metrics) _pmuscope_offer "$(_pmuscope_names "$pmuscope" 'metrics groups' "${cpu[@]}")" list ;;
	--format) if [ "$command ${plain[0]-}" = 'spe dump' ]; then _pmuscope_offer 'table jsonl'; else _pmuscope_offer 'table json csv'; fi ;;
	--by)
		if [ "$command" = annotate ]; then
			_pmuscope_offer 'function line instruction object thread'
		else
			_pmuscope_offer 'line symbol pc object data-source cacheline page data-symbol branch op thread cpu' list
		fi
		;;
	--to) if [ "$command" = export ]; then _pmuscope_offer 'folded speedscope callgrind pprof firefox perfetto llvm-sample bolt'; else _pmuscope_offer 'csv jsonl rowbinary sqlite'; fi ;;
	--columns) _pmuscope_offer "$("$pmuscope" spe export --ddl 2>/dev/null | sed -n 's/^    \([a-z0-9_]*\) .*/\1/p')" list ;;
	--source) _pmuscope_offer 'vcore perf' ;;
	--core-set) _pmuscope_offer "$(_pmuscope_parameters "$pmuscope" "${cpu[@]}")" list ;;
	--roi) _pmuscope_offer "$(_pmuscope_functions)" ;;
	-L | --sysroot | --symfs) _pmuscope_files -d ;;
	-o | --output | --spec | --save | --qemu | --budget | --kallsyms) _pmuscope_files -f ;;
	--value | --filter | --comm | --time | --sort | --limit | --period | --assume | --revision | --null | -x | --field-separator | -l | --level | --counters | --env | --fast-forward | --sample | --qemu-cpu | -I | --interval-print | -r | --repeat | -D | --delay | -p | --pid | -t | --tid | -C | --cpu | -G | --cgroup | --timeout | --control) ;;
	*) return 1 ;;
	esac
}

# A word that belongs to no option.
_pmuscope_word() {
	local words=''
	case $command in
	list)
		case ${plain[0]-} in
		'') words='cpus events metrics groups tree' ;;
		events) words=$(_pmuscope_names "$pmuscope" 'events groups' "${cpu[@]}") ;;
		metrics) words=$(_pmuscope_names "$pmuscope" 'metrics groups' "${cpu[@]}") ;;
		groups | tree) words=$(_pmuscope_names "$pmuscope" "${plain[0]}" "${cpu[@]}") ;;
		esac
		_pmuscope_offer "$words"
		;;
	describe | search)
		words=$(_pmuscope_names "$pmuscope" 'events metrics groups' "${cpu[@]}")
		[ "$command" = search ] || words="$words $(_pmuscope_names "$pmuscope" cpus)"
		_pmuscope_offer "$words"
		;;
	spe) if [ "${#plain[@]}" -eq 0 ]; then _pmuscope_offer "$(_pmuscope_commands "$pmuscope" spe)"; else _pmuscope_files -f; fi ;;
	report | check | annotate | export) _pmuscope_sessions ;;
	core) if [ "${#plain[@]}" -eq 0 ]; then _pmuscope_offer show; fi ;;
	validate) _pmuscope_offer "$("$pmuscope" validate --names "${cpu[@]}" 2>/dev/null)" ;;
	help) _pmuscope_offer "$(_pmuscope_commands "$pmuscope") $(_pmuscope_commands "$pmuscope" help)" ;;
	topdown | stat)
		if [ "${#plain[@]}" -eq 0 ]; then
			_pmuscope_files -c
			local programs=("${COMPREPLY[@]}")
			_pmuscope_files -f
			COMPREPLY=("${programs[@]}" "${COMPREPLY[@]}")
		else
			_pmuscope_files -f
		fi
		;;
	*) _pmuscope_files -f ;;
	esac
}

_pmuscope() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
	local pmuscope=${COMP_WORDS[0]/#\~/$HOME} command=${COMP_WORDS[1]} option part='' i
	local plain=() cpu=() # words of no option so far; --mcpu or --spec and what it names
	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		_pmuscope_offer "$(_pmuscope_commands "$pmuscope") --help --version"
		return
	fi
	# bash takes --mcpu=x for three words.
	[ "$cur" != = ] || cur=''
	[ "$prev" != = ] || prev=${COMP_WORDS[COMP_CWORD - 2]}
	for ((i = 2; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		--mcpu | --spec)
			option=${COMP_WORDS[i++]}
			[ "${COMP_WORDS[i]}" != = ] || ((i++))
			((i >= COMP_CWORD)) || cpu=("$option" "${COMP_WORDS[i]}")
			;;
		-e | -M | -l | -L | -o | -x | --event | --metrics | --level | --sysroot | --output | \
			--format | --source | --env | --qemu | --qemu-cpu | --save | --field-separator | \
			--counters | --core-set | --fast-forward | --roi | --sample | -p | --pid | -t | --tid | -C | --cpu | -G | --cgroup | \
			-I | --interval-print | -r | --repeat | -D | --delay | --timeout | --control | \
			--budget | --assume | --revision | --to | --columns | --null | --symfs | --by | --filter | --comm | --time | --sort | --limit | --period | --kallsyms | --max-groups | --value)
			((i++))
			;;
		-*) ;;
		*) plain+=("${COMP_WORDS[i]}") ;;
		esac
	done
	# What follows the program is the program's.
	if [[ $command == topdown || $command == stat ]] && [ "${#plain[@]}" -gt 0 ]; then
		_pmuscope_word
	elif _pmuscope_value; then
		return
	elif [[ $cur == -* ]]; then
		[ "$command" != spe ] || part=${plain[0]-}
		_pmuscope_offer "$(_pmuscope_options "$pmuscope" "$command" ${part:+"$part"})"
	else
		_pmuscope_word
	fi
}

complete -F _pmuscope pmuscope
