#!/bin/sh
# timefmt: our formats against the programs whose formats they are.  Each of
# them is made to see chosen figures (tests/tools/fakeusage.c, preloaded) for a
# job, and must print the same bytes as we do for these figures.

. "${0%/*}/tap.sh"

# elapsed_ns user_us sys_us majflt minflt nswap inblock oublock maxrss_kib
# nvcsw nivcsw, then in words what they are an example of.
figures() {
	cat <<'EOF'
140740000000 71020000 1650000 10652 71 0 0 0 1964 3 4 a sort of 2001
140680000000 71260000 2150000 10652 71 0 8 16 1964 3 4 a percent to truncate
59999999999 999999 999499 1 2 3 4 5 6 7 8 nines
3599999999999 59999999 3599999999 1 2 3 4 5 6 7 8 a nanosecond to the hour
3600000000000 7690000000 605000000 0 0 0 0 0 0 0 0 an hour
6259609999999 5447968500 621333999 21 8 0 2160672 0 2450164 9 9 hours
665999 253 280 0 71 0 0 0 1964 1 0 less than a millisecond
1000000 15000 5000 0 71 0 0 0 1964 1 0 a millisecond
359999999999999 359999999999 12345 123456789 5 6 7 8 9 10 11 days
EOF
}

build_helpers() {
	# shellcheck disable=SC2086 # CC may be two words
	${CC:-cc} -D_GNU_SOURCE -fPIC -shared -o fakeusage.so \
	    "$TOP/tests/tools/fakeusage.c" >err 2>&1 &&
	    ${CC:-cc} -D_GNU_SOURCE -I"$TOP/measure" -o printfmt \
	    "$TOP/tests/tools/printfmt.c" "$TOP/measure/timefmt.c" \
	    "$TOP/measure/timefmt_data.c" >>err 2>&1
}

# The job says that it has ended by making the file FAKE_ENDED, then ends in
# the way that JOB_END says.
make_job() {
	cat >job <<'EOF'
#!/bin/sh
# Some take the time of the start only after the fork: let them come to wait.
tries=0
until grep -q '^State:.S' "/proc/$PPID/status" || [ "$tries" -ge 1000 ]; do
	tries=$((tries + 1))
done
: >"$FAKE_ENDED"
case $JOB_END in
killed) kill -9 $$ ;;
*) exit "$JOB_END" ;;
esac
EOF
	chmod +x job
	export FAKE_ENDED="$SCRATCH/ended" JOB_END=0
}

set_figures() {
	export FAKE_ELAPSED_NS="$1" FAKE_USER_US="$2" FAKE_SYS_US="$3"
	export FAKE_MAJFLT="$4" FAKE_MINFLT="$5" FAKE_NSWAP="$6"
	export FAKE_INBLOCK="$7" FAKE_OUBLOCK="$8" FAKE_MAXRSS_KIB="$9"
	shift 9
	export FAKE_NVCSW="$1" FAKE_NIVCSW="$2"
}

# The program called time, which for some shells is a word of their own.
find_time() {
	saved_ifs=$IFS
	IFS=:
	for folder in $PATH; do
		[ -x "$folder/time" ] && program=$folder/time && break
	done
	IFS=$saved_ifs
}

# program_of FORMAT: the path of the program whose format it is, in $program.
program_of() {
	program=
	case $1 in
	gnu* | posix) find_time ;;
	*) program=$(command -v "$1") ;;
	esac
	if [ -z "$program" ]; then
		lack="$1: the program is not installed"
	elif ! grep -q '/ld-' "$program"; then
		lack="$1: the program is linked statically, no LD_PRELOAD"
	elif [ "$(getconf LONG_BIT)" = 32 ]; then
		lack="$1: a 32-bit program has two kinds of clocks"
	else
		return 0
	fi
	return 1
}

theirs() { # theirs FORMAT: the program times the job
	rm -f "$FAKE_ENDED"
	case $1 in
	tcsh | zsh) set -- -fc 'time ./job' ;;
	bash | ksh) set -- -c 'time ./job' ;;
	gnu) set -- ./job ;;
	gnu-v) set -- -v ./job ;;
	posix) set -- -p ./job ;;
	busybox) set -- time ./job ;;
	esac
	LD_PRELOAD=$preload "$program" "$@" >theirs 2>&1 </dev/null
}

same() { # same WHAT FORMAT WAIT_STATUS
	if ! program_of "$2"; then
		skip "$1" "$lack"
		return
	fi
	theirs "$2"
	./printfmt "$2" "$3" ./job >ours
	if cmp -s ours theirs; then
		result 0 "$1"
	else
		result 1 "$1"
		diff ours theirs | sed 's/^/# /'
	fi
}

# The shells say "Killed" before the figures, which is no part of the format.
compare_formats() {
	for format in tcsh gnu gnu-v posix bash ksh zsh busybox; do
		same "$format is the program's own: $*" "$format" 0
	done
}

compare_failures() {
	for format in gnu gnu-v posix busybox; do
		JOB_END=killed
		same "$format tells of a killed command as the program does" \
		    "$format" 9
		JOB_END=3
		same "$format tells of a failed command as the program does" \
		    "$format" $((3 * 256))
	done
	JOB_END=0
}

no_time_at_all() {
	for format in tcsh gnu gnu-v posix bash ksh busybox; do
		same "$format is the program's own for no time at all" \
		    "$format" 0
	done
}

# shape FILE: the text with every number as N, so that two runs can be compared.
shape() {
	# the verdict about pressure is up to the machine
	sed -E '/^record: disturbed/d; s/[0-9][0-9.]*/N/g
	    s/(slack|pressed|disturbed)/P/' "$1"
}

# What record prints of a real run, beside the program for a run of the same.
# GNU time knows no percentage of a very short run.
real_runs() {
	preload=
	for format in tcsh gnu gnu-v posix bash ksh zsh busybox; do
		what="record -F $format looks like the program"
		if ! program_of "$format"; then
			skip "$what" "$lack"
			continue
		fi
		theirs "$format"
		run record -F "$format" ./job
		is "$what" "$(shape err | sed 's/?%/N%/')" \
		    "$(shape theirs | sed 's/?%/N%/')"
	done
	JOB_END=3
	run record -F gnu ./job
	JOB_END=0
	like 'record -F gnu tells of a failed command' err \
	    '^Command exited with non-zero status 3$'
}

# A locale with a decimal comma, in $comma: one that is here, or made now.
find_comma() {
	for comma in pl_PL.UTF-8 de_DE.UTF-8; do
		[ "$(LC_ALL=$comma locale decimal_point 2>err)" = , ] && return
	done
	mkdir locales
	localedef -i de_DE -f UTF-8 locales/de_DE.UTF-8 >err 2>&1
	export LOCPATH="$SCRATCH/locales"
	comma=de_DE.UTF-8
	[ "$(LC_ALL=$comma locale decimal_point 2>err)" = , ] && return
	unset LOCPATH
	return 1
}

locales() {
	if ! find_comma; then
		skip 'a decimal comma of the locale changes no figure' \
		    'no locale pl_PL.UTF-8 or de_DE.UTF-8, and none can be made'
		return
	fi
	for format in tcsh gnu gnu-v posix bash ksh zsh busybox json tsv; do
		run record -F "$format" ./job
		shape err | sed 's/?%/N%/' >want
		run env LC_ALL="$comma" record -F "$format" ./job
		is "a decimal comma of the locale changes no figure of $format" \
		    "$(shape err | sed 's/?%/N%/')" "$(cat want)"
	done
	unset LOCPATH
}

main() {
	command -v "${CC:-cc}" >/dev/null || skip_all 'no C compiler'
	ok 'the helpers compile' build_helpers
	make_job
	preload=$SCRATCH/fakeusage.so
	figures >table
	while read -r e u s maj min w in out rss v i what; do
		set_figures "$e" "$u" "$s" "$maj" "$min" "$w" "$in" "$out" \
		    "$rss" "$v" "$i"
		compare_formats "$what"
	done <table
	compare_failures
	set_figures 0 0 0 1 2 3 4 5 6 7 8
	no_time_at_all
	real_runs
	locales
	finish
}

main "$@"
