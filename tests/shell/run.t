#!/bin/sh
# The runner of the tests: what it counts and what it does not let pass.
. "${0%/*}/tap.sh"

tap_file() { # tap_file NAME LINE...: a test file that says these lines
	name=$1
	shift
	printf "printf '%%s\\\\n' '%s'\n" "$@" >"$name.t"
}

runner() { # runner FILE...: the real runner on files of ours
	status=0
	(cd / && "$TOP/tests/run" "$@") >out 2>err || status=$?
}

gone() { # gone PID: within two seconds, or dead and only not reaped yet
	for try in 1 2 3 4 5 6 7 8 9 10; do
		grep -qs '^State:.[^Z]' "/proc/$1/status" || return 0
		sleep 0.2
	done
	printf '# %s is still there at try %d\n' "$1" "$try"
	return 1
}

last() { tail -n 1 out; }

tap_file good 'ok 1 - one' 'ok 2 - two # SKIP needs a cat' 'ok 3 - three' 1..3
runner "$SCRATCH/good.t"
is 'passed and skipped tests are counted' "$(last)" \
    '2 passed, 0 failed, 1 skipped'
is 'a run without a failure exits 0' "$status" 0
like 'a skip is shown with its reason' out '^SKIP .*/good.t: needs a cat$'

tap_file bad 'ok 1 - one' 'not ok 2 - two is two' '# got: 3' 1..2
runner "$SCRATCH/good.t" "$SCRATCH/bad.t"
is 'the totals are those of all files' "$(last)" \
    '3 passed, 1 failed, 1 skipped'
is 'a run with a failure exits 1' "$status" 1
like 'a failed test is shown with its title' out '^FAIL .*/bad.t: two is two$'
like 'a failed test is shown with what it says' out '^# got: 3$'

tap_file short 'ok 1 - one' 1..2
runner "$SCRATCH/short.t"
like 'fewer tests than planned are a failure' out 'planned 2 tests but ran 1'
is 'fewer tests than planned count as one failure' "$(last)" \
    '1 passed, 1 failed, 0 skipped'

tap_file long 'ok 1 - one' 'ok 2 - two' 1..1
runner "$SCRATCH/long.t"
like 'more tests than planned are a failure' out 'planned 1 tests but ran 2'

tap_file early 'ok 1 - one'
runner "$SCRATCH/early.t"
like 'a file without a plan ended early' out 'ended early, after 1 tests'
is 'a file without a plan makes the run fail' "$status" 1

tap_file twice 'ok 1 - one' 1..1 1..1
runner "$SCRATCH/twice.t"
like 'two plans are a failure' out 'more than one plan'

tap_file none 1..0
runner "$SCRATCH/none.t"
like 'a file that tests nothing is a failure' out 'no test in it'

tap_file all '1..0 # SKIP no cgroup here'
runner "$SCRATCH/all.t"
is 'a file that is skipped as a whole counts once' "$(last)" \
    '0 passed, 0 failed, 1 skipped'
like 'its reason is shown' out '^SKIP .*/all.t: no cgroup here$'

tap_file same 'ok 1 # SKIP no tcsh' 'ok 2 # SKIP no tcsh' 1..2
runner "$SCRATCH/same.t"
like 'the same reason is shown once, with a number' out ': no tcsh \(2 tests\)$'

tap_file unsaid 'ok 1 # SKIP' 1..1
runner "$SCRATCH/unsaid.t"
like 'a skip without a reason is a failure' out 'a skip without its reason'

tap_file killed 'ok 1 - one' 1..1
# shellcheck disable=SC2016 # for the file
printf 'kill -KILL $$\n' >>killed.t
runner "$SCRATCH/killed.t"
like 'a killed file is a failure that names the signal' out \
    '^FAIL .*/killed.t: killed by signal 9$'

tap_file status 'ok 1 - one' 1..1
printf 'exit 3\n' >>status.t
runner "$SCRATCH/status.t"
like 'a status other than 0 is a failure' out 'ended with status 3'

tap_file bail 'ok 1 - one' 'Bail out! no disk' 1..1
runner "$SCRATCH/bail.t"
like 'a test that bails out is a failure' out '^FAIL .*: Bail out! no disk$'

tap_file 'a name|with & and a \ in it' 'not ok 1 - one' 1..1
printf 'echo oops >&2\n' >>'a name|with & and a \ in it.t'
runner "$SCRATCH/a name|with & and a \\ in it.t"
like 'any file name is shown as it is' out \
    '^FAIL .*/a name\|with & and a \\ in it.t: one$'
like 'what a file says on stderr is shown under its name' out \
    '/a name\|with & and a \\ in it.t: oops$'

tap_file behind 'ok 1 - one' 1..1
# shellcheck disable=SC2016 # for the file
printf '(setsid sleep 300 >/dev/null 2>&1 & echo $! >%s/pid)\n' "$SCRATCH" \
    >>behind.t
runner "$SCRATCH/behind.t"
is 'a file that leaves a process behind counts as one failure' "$(last)" \
    '1 passed, 1 failed, 0 skipped'
like 'what was left behind is shown' out '^# [0-9]+: (setsid )?sleep 300 $'
ok 'what was left behind is ended' gone "$(cat pid)"

mkdir empty
runner "$SCRATCH/empty"
like 'a folder without a test is a failure' out 'no test file in it'
runner "$SCRATCH/missing.t"
like 'a missing file is a failure' out '^FAIL .*/missing.t: no such test file$'
is 'a missing file makes the run fail' "$status" 1
runner
is 'without arguments it exits 2' "$status" 2
like 'without arguments it shows its usage' err '^usage: tests/run '

# shellcheck disable=SC2016 # for the file
printf '#!/bin/sh\nBY=ours exec sh "$2"\n' >ours
chmod +x ours
cat >by.t <<'END'
printf 'not ok 1 - run by %s\n1..1\n' "${BY:-sh}"
END
QS_SH="$SCRATCH/ours twowords" runner "$SCRATCH/by.t"
like 'QS_SH chooses the shell, of two words too' out 'run by ours$'

finish
