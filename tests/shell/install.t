#!/bin/sh
# From the source tarball to an installed suite and back: dist, all, install,
# uninstall, clean.  Everything happens in copies; the tree itself is only read.
. "${0%/*}/tap.sh"

# flags of an outer make are not those of the builds here
unset MAKEFLAGS MFLAGS MAKELEVEL O B
CFLAGS=-O0
export CFLAGS
version=$(cat "$TOP/VERSION")

# dist: reproducible, whole, buildable.
tarball() { # tarball FILE: made from a tree that is only read
	make -C "$TOP" -s dist DIST="$SCRATCH/$1"
}
run tarball one.tar.gz
is 'dist makes a tarball' "$status" 0
(umask 077 && TZ=Asia/Tokyo tarball two.tar.gz) >out 2>err
ok 'dist makes the same tarball again, whatever umask and zone' \
    cmp one.tar.gz two.tar.gz
run tar -tzvf one.tar.gz
unlike 'the files of the tarball have no owner' out ' root/| [a-z]+/[a-z]+ '
tar -xzf one.tar.gz || skip_all 'no tarball to go on with'
tree=$SCRATCH/qsb-$version
ok 'it unpacks into a folder with its version' [ -f "$tree/Makefile" ]
(cd "$tree" && find . ! -type d | sort) >before
unlike 'it holds nothing that was built' before \
    '\.o$|^\./build|^\./(qsbench/qsbench|measure/record)$'

run make -C "$tree" -s all CFLAGS=-O0
is 'what is unpacked builds' "$status" 0
show_if() { [ "$status" -eq 0 ] || show err; }
show_if
run make -C "$tree" all CFLAGS=-O0
unlike 'what is built is not built again' out ' -o '
run make -C "$tree" all CFLAGS=-O0 LDFLAGS=-Wl,-O1
like 'other flags of the linker link anew' out ' -o qsbench/qsbench '
run make -C "$tree" -s all CFLAGS=-O0
run make -C "$tree" -s O=build/other CFLAGS=-O0 build/other/qsbench/qsbench
ok 'with another O the programs are in there' \
    [ -x "$tree/build/other/qsbench/qsbench" ]
run make -C "$tree" all CFLAGS=-O0
unlike 'another O leaves the first build alone' out ' -o '
(cd "$tree" && make -s dist) >out 2>err
ok 'a tarball made from the unpacked one is the same' \
    cmp one.tar.gz "$tree/qsb-$version.tar.gz"

# install, staged.
stage=$SCRATCH/stage
install_to() { # install_to make-arguments...
	(umask 077 && make -C "$tree" -s install CFLAGS=-O0 "$@")
}
run install_to DESTDIR="$stage" PREFIX=/usr
is 'install works below DESTDIR' "$status" 0
show_if
is 'two commands are installed' "$(ls "$stage/usr/bin")" \
    "$(printf 'qsb\nqsbench')"
is 'nothing is installed outside PREFIX' "$(ls "$stage")" usr
ok 'the bash completion is installed' \
    [ -f "$stage/usr/share/bash-completion/completions/qsb" ]
is 'everybody can read and enter what is installed' \
    "$(find "$stage/usr/"* ! -perm -755 ! -perm -644)" ''

for page in "$tree"/*/*.1; do
	name=${page##*/}
	name=${name%.1}
	case $name in
	qsb | qsbench) installed=$name ;;
	*) installed=qsb-$name ;;
	esac
	file=$stage/usr/share/man/man1/$installed.1
	ok "the manual of $name is installed as $installed" [ -f "$file" ]
	[ "$name" != "$installed" ] || continue
	is "the manual $installed is headed by that name" \
	    "$(sed -n 's/^\.Nm //p' "$file" | head -n 1)" "$installed"
	like "the synopsis of $installed is what one types" "$file" \
	    "^\\.Nm \"qsb $name\"$"
done
for page in "$stage"/usr/share/man/man1/*; do
	sed -n 's/^\.Xr \(qsb[^ ]*\) 1.*/\1/p' "$page" | sort -u |
	while read -r name; do
		[ -f "$stage/usr/share/man/man1/$name.1" ] ||
		    printf '%s: %s\n' "${page##*/}" "$name"
	done
done >missing
is 'no manual points to one of ours that is not there' "$(cat missing)" ''

PATH=/usr/bin:/bin:/usr/sbin:/sbin
qsb=$stage/usr/bin/qsb
run "$qsb" help
is 'installed, help works' "$status" 0
unlike 'installed, every command has its line' out '^  [^ ]+ *$'
like 'installed, help lists qsbench' out '^  qsbench +[^ ]'
unlike 'what only the tree needs is not installed' out '^  deps '
(cd "$tree" && scripts/qsb help) | sed -n 's/^  \([a-z][^ ]*\) .*/\1/p' |
    grep -v '^deps$' >in_tree
is 'installed, the commands are those of the tree' \
    "$(sed -n 's/^  \([a-z][^ ]*\) .*/\1/p' out)" "$(cat in_tree)"
run "$qsb" -V
is 'installed, -V prints the version' "$(cat out)" "qsb $version"
run "$qsb" qsbench -n 10
is 'installed, qsb runs qsbench' "$status" 0
run "$stage/usr/bin/qsbench" -n 10
is 'installed, qsbench runs by itself' "$status" 0
while read -r name; do
	run "$qsb" "$name" -h
	is "installed, $name -h exits 0" "$status" 0
	like "installed, $name -h shows its usage" out '^usage: '
done <in_tree
if command -v mandoc >/dev/null; then
	run "$qsb" help qsbench
	like 'installed, help shows a manual' out 'qsbench'
else
	skip 'installed, help shows a manual' 'needs mandoc'
fi

# Manuals that a packager has compressed.
gzip "$stage"/usr/share/man/man1/*
run "$qsb" help
like 'compressed manuals give their line too' out '^  qsbench +[^ ]'
gunzip "$stage"/usr/share/man/man1/*

run make -C "$tree" -s uninstall DESTDIR="$stage" PREFIX=/usr
is 'uninstall exits 0' "$status" 0
is 'uninstall leaves no file' "$(find "$stage" ! -type d)" ''
ok 'uninstall leaves no folder of ours' [ ! -e "$stage/usr/libexec/qsb" ]

# Not staged, with folders of a person's own, and a neighbour's file.
mkdir -p "$SCRATCH/opt/lib/qsb"
echo mine >"$SCRATCH/opt/lib/qsb/notes"
run install_to BINDIR="$SCRATCH/opt/commands" LIBEXECDIR="$SCRATCH/opt/lib" \
    MANDIR="$SCRATCH/opt/man" PREFIX="$SCRATCH/opt"
run "$SCRATCH/opt/commands/qsb" qsbench -n 10
is 'BINDIR, LIBEXECDIR and MANDIR are honoured' "$status" 0
ok 'MANDIR is honoured' [ -f "$SCRATCH/opt/man/man1/qsb.1" ]
mkdir personal
ln -s "$SCRATCH/opt/commands/qsb" personal/qsb
run personal/qsb help
is 'it is found through a link from elsewhere' "$status" 0
run make -C "$tree" -s uninstall BINDIR="$SCRATCH/opt/commands" \
    LIBEXECDIR="$SCRATCH/opt/lib" MANDIR="$SCRATCH/opt/man" PREFIX="$SCRATCH/opt"
is 'uninstall removes what is ours and nothing else' \
    "$(find "$SCRATCH/opt" ! -type d)" "$SCRATCH/opt/lib/qsb/notes"

# Paths that a shell, sed or make would take apart.
odd='/opt/my q & c|d'
run install_to DESTDIR="$SCRATCH/odd \$\$x" PREFIX="$odd"
is 'a path with blanks and signs can be installed to' "$status" 0
run "$SCRATCH/odd \$x$odd/bin/qsb" timed -V
is '... and run from' "$status" 0
run make -C "$tree" -s uninstall DESTDIR="$SCRATCH/odd \$\$x" PREFIX="$odd"
is '... and removed from' "$(find "$SCRATCH/odd \$x" ! -type d)" ''
run install_to DESTDIR="$SCRATCH/it's"
like 'a path with a quote is refused' err 'path with a quote'

make -C "$tree" -s clean >out 2>err
(cd "$tree" && find . ! -type d | sort) >after
is 'clean leaves what was unpacked' "$(diff before after)" ''

finish
