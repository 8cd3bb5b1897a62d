#!/bin/sh
# deps: with each package manager, with and without root and sudo; none of them
# real, so that nothing is installed.
. "${0%/*}/tap.sh"

deps=$TOP/scripts/deps
unset CC

# machine MANAGER UID [sudo]: a PATH with the few tools of a fresh machine, and
# a package manager that writes down how it was called and then "installs".
machine() {
	rm -rf tools
	mkdir tools
	for tool in sh sed cat chmod; do
		ln -s "$(command -v "$tool")" tools/
	done
	printf '#!/bin/sh\necho %s\n' "$2" >tools/id
	if [ "$1" != none ]; then
		cat >"tools/$1" <<-END
		#!/bin/sh
		printf '%s\n' "$1 \$*" >>'$SCRATCH/called'
		case \$* in
		*gcc*) ;;
		*) exit 0 ;;
		esac
		[ ! -e '$SCRATCH/refuse' ] || exit 9
		cd '$SCRATCH/tools'
		printf '#!/bin/sh\n' | cat >make
		printf '#!/bin/sh\ncat >/dev/null\n' >cc
		cat make >pkg-config
		chmod +x cc make pkg-config
		END
	fi
	if [ $# -gt 2 ]; then
		printf '#!/bin/sh\nprintf "sudo " >>"%s"\nexec "$@"\n' \
		    "$SCRATCH/called" >tools/sudo
	fi
	for tool in id "$1" sudo; do
		[ ! -e "tools/$tool" ] || chmod +x "tools/$tool"
	done
	rm -f called refuse
	: >called
}

in_machine() { # in_machine COMMAND...: with its PATH only
	status=0
	PATH=$SCRATCH/tools "$@" >out 2>err </dev/null || status=$?
}

is_installed_by() { # is_installed_by MANAGER WANTED-CALLS
	machine "$1" 0
	in_machine "$deps"
	is "$1 installs everything on a fresh machine" "$(cat called)" "$2"
	is "with $1 it exits 0" "$status" 0
	like "it says what it runs with $1" out "^$1 .*gcc make"
}

is_installed_by apt-get "$(printf '%s\n' 'apt-get update' \
    'apt-get install -y gcc make libc6-dev check pkg-config')"
is_installed_by dnf \
    'dnf install -y gcc make glibc-devel check-devel pkgconf-pkg-config'
is_installed_by apk 'apk add gcc make musl-dev linux-headers check-dev pkgconf'
is_installed_by pacman \
    'pacman -S --needed --noconfirm gcc make glibc check pkgconf'
is_installed_by zypper 'zypper --non-interactive install gcc make glibc-devel check-devel pkg-config'

in_machine "$deps"
is 'with everything there it exits 0' "$status" 0
like 'with everything there it says so' out '^everything is here'
is 'with everything there it installs nothing' "$(wc -l <called | tr -d ' ')" 1

machine apt-get 1000 sudo
in_machine "$deps"
is 'without root it goes through sudo' "$(cat called)" "$(printf '%s\n' \
    'sudo apt-get update' \
    'sudo apt-get install -y gcc make libc6-dev check pkg-config')"
like 'the line it shows has the sudo' out '^sudo apt-get install '

in_machine "$deps"
is 'without root it goes on when everything is there' "$status" 0

machine apt-get 1000
in_machine "$deps"
is 'without root and sudo it exits 1' "$status" 1
is 'without root and sudo nothing is run' "$(cat called)" ''
like 'without root and sudo it prints the line to run' err \
    '^apt-get install -y gcc make libc6-dev check pkg-config$'
like 'it says what is missing' err \
    '^deps: missing: a C compiler, make, pkg-config; without root and sudo'

machine none 0
in_machine "$deps"
is 'without a known package manager it exits 1' "$status" 1
like 'without a known package manager it names what to install' err \
    'install by hand: a C compiler, make, pkg-config$'

machine dnf 0
: >refuse
in_machine "$deps"
is 'a failing package manager exits 1' "$status" 1
like 'the command that failed is named' err '^deps: failed: dnf install '

machine apk 0
in_machine "$deps" -N
is '-N runs nothing' "$(cat called)" ''
like '-N shows what would be run' out '^apk add '
is '-N exits 0' "$status" 0

# The compiler is there, but it finds no header, or not that of Check.
machine apk 0
printf '#!/bin/sh\nexit 0\n' >tools/make
printf '#!/bin/sh\nexit 0\n' >tools/pkg-config
cat >tools/cc <<'END'
#!/bin/sh
while read -r include header; do
	[ "$header" != '<check.h>' ] || exit 1
done
END
chmod +x tools/cc tools/make tools/pkg-config
in_machine "$deps" -N
like 'a missing Check alone is noticed' out '^apk add '
in_machine "$deps"
like 'a missing Check alone is named' out '^missing: Check; running:$'

run "$deps" -x
is 'an unknown option exits 2' "$status" 2
like 'an unknown option is named' err '^deps: -x: unknown option$'
run "$deps" gcc
is 'an argument exits 2' "$status" 2
run "$deps" -h
like '-h shows the usage' out '^usage: scripts/deps \[-hNV\]$'

finish
