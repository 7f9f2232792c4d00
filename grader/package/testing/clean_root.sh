#!/usr/bin/env bash
# clean_root.sh PREFIX [OPTION...] -- COMMAND...: runs the command as an ordinary user in a root that
# holds the package of PREFIX in /usr, and from this machine the C library, a shell, coreutils and Clang
# with the libraries that it loads: no other compiler, no CUDA, no sources, no /etc. Options go to
# bubblewrap. The libraries of a program that needs more than the C library are there only if
# NEEDS_LIBRARIES is set. Ends with status 77, and says why, if there can be no such root.
set -euo pipefail

prefix=$1
shift
if ! clang=$(command -v clang); then
  echo "there is no Clang here"
  exit 77
fi
if ! why=$(bwrap --unshare-all --uid 1000 --gid 1000 --ro-bind / / --proc /proc --dev /dev --tmpfs /tmp true 2>&1); then
  echo "bubblewrap makes no root here: $why"
  exit 77
fi

programs=("$(realpath "$clang")" "$(realpath /bin/sh)")
for name in cat cp env ls mkdir true; do programs+=("$(realpath "$(type -P "$name")")"); done
loaders=("${programs[@]}")
if [[ -n ${NEEDS_LIBRARIES-} ]]; then loaders+=("$prefix"/lib/tessera/*); fi

root=(--unshare-all --uid 1000 --gid 1000 --clearenv --setenv PATH /usr/bin
  --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64
  --proc /proc --dev /dev --tmpfs /tmp)
for program in "${programs[@]}"; do root+=(--ro-bind "$program" "$program"); done
root+=(--symlink "${programs[0]}" /usr/bin/clang --symlink "${programs[0]}" /usr/bin/clang++
  --symlink "${programs[1]}" /usr/bin/sh)
# The libraries of these programs, which are the C library's and Clang's.
mapfile -t libraries < <(ldd "${loaders[@]}" | sed -n 's|^\t\(.* => \)\?\(/[^ ]*\) (0x.*|\2|p' | sort --unique)
for library in "${libraries[@]}"; do
  root+=(--ro-bind "$(realpath "$library")" "/usr${library#/usr}")
done
headers=$(clang -print-resource-dir)
root+=(--ro-bind "$(realpath "$headers")" "$headers"
  --ro-bind "$prefix/lib/tessera" /usr/lib/tessera --ro-bind "$prefix/share/tessera" /usr/share/tessera
  --symlink ../lib/tessera/tessera /usr/bin/tessera)

options=()
while [[ $1 != -- ]]; do
  options+=("$1")
  shift
done
shift
exec bwrap "${root[@]}" "${options[@]}" "$@"
