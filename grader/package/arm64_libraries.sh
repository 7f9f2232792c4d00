#!/usr/bin/env bash
# arm64_libraries.sh DIR: unpacks the libraries that the program for arm64 links into the new folder DIR.
# They are not installed, since some of these packages would replace those of this machine.
set -euo pipefail

into=$(realpath --canonicalize-missing "$1")
if [[ -d $into ]]; then exit; fi
if ! command -v aarch64-linux-gnu-g++ >/dev/null || ! dpkg --print-foreign-architectures | grep -qx arm64; then
  echo "make package ARCH=arm64 needs a compiler for arm64 and the list of its packages; as root:" >&2
  echo "  dpkg --add-architecture arm64 && apt-get update && apt-get install crossbuild-essential-arm64" >&2
  exit 3
fi
mkdir -p "$into.new/packages"
cd "$into.new/packages"
packages=(lib{yaml-cpp,fmt,seccomp,gtest,gmock}-dev:arm64)
# The shared libraries that these name, which CMake looks for.
mapfile -t -O "${#packages[@]}" packages < <(
  apt-cache depends "${packages[@]}" | sed -n 's/.*Depends: \(lib\(yaml\|fmt\|seccomp\).*\)/\1/p' | sort -u)
apt-get download --quiet=2 "${packages[@]}" libcli11-dev nlohmann-json3-dev
for package in *.deb; do dpkg-deb --extract "$package" ..; done
mv "$into.new" "$into"
