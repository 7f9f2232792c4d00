#!/usr/bin/env bash
# Installs what Tessera is built from and compiles kernels with, on Debian 12 and Ubuntu 22.04 or
# newer. Installs only what is missing; a second run changes nothing and needs no network.
#
#   ./setup.sh          for grading, building and testing
#   ./setup.sh --dev    and the tools that check the sources (clang-format, clang-tidy, shellcheck), the
#                       pages (Chromium, the Nu Html Checker) and the completions (zsh, fish), and that
#                       make packages (file, dpkg-dev)
#
# In a handout whose program runs here, only Clang and make are needed; ./setup.sh --program prints that
# program's name.
set -euo pipefail

readonly kCmakeNeeded=3.25
readonly kGxxNeeded=12
readonly kClangNeeded=14
readonly kCudaNeeded=12
readonly kCudaOfGpu=12.8
readonly kHtmlChecker=26.9.27

libraries=(make ninja-build libyaml-cpp-dev libcli11-dev libfmt-dev nlohmann-json3-dev libgtest-dev
  libgmock-dev libbenchmark-dev libseccomp-dev)
# Without these a student has all: ccache saves time, bubblewrap isolates submissions, gnuplot draws
# the plots of experiments, libxml2-utils validates XML in the tests, tzdata knows the time zones of
# due dates, the others are for the gradebook.
optional=(ccache bubblewrap gnuplot-nox libxml2-utils libsqlitecpp-dev libsqlite3-dev libarchive-dev
  libcsv-dev tzdata)

# The same elsewhere, as these systems name it; neither has been tried.
readonly kFedora="gcc-c++ cmake ninja-build make clang yaml-cpp-devel cli11-devel fmt-devel json-devel gtest-devel \
gmock-devel google-benchmark-devel libseccomp-devel bubblewrap sqlitecpp-devel libarchive-devel libcsv-devel"
readonly kArch="gcc cmake ninja make clang yaml-cpp cli11 fmt nlohmann-json gtest benchmark libseccomp bubblewrap \
libarchive"

# The first line says what is wrong, the others what to do.
fail() {
  printf 'setup.sh: %s\n' "$1" >&2
  shift
  printf '  %s\n' "$@" >&2
  exit 1
}

# at_least 3.25.1 3.25: whether the first version is the second or a later one.
at_least() {
  [[ -n $1 ]] && printf '%s\n%s\n' "$2" "$1" | sort --version-sort --check=quiet
}

first_version() {
  grep --only-matching --extended-regexp '[0-9]+(\.[0-9]+)+' | head -n 1 || true
}

cmake_version() {
  if command -v cmake >/dev/null; then cmake --version 2>/dev/null | first_version; fi
}

# newest_of 12 g++ g++-14 g++-13: the first of these programs whose version is 12 or later, with it.
newest_of() {
  local needed=$1 program version
  shift
  for program in "$@"; do
    command -v "$program" >/dev/null || continue
    version=$("$program" -dumpfullversion 2>/dev/null || "$program" -dumpversion 2>/dev/null) || continue
    if at_least "$version" "$needed"; then
      printf '%s %s\n' "$program" "$version"
      return
    fi
  done
}

find_gxx() {
  newest_of "$kGxxNeeded" g++ g++-15 g++-14 g++-13 g++-12
}

find_clang() {
  newest_of "$kClangNeeded" clang++ clang++-{21,20,19,18,17,16,15,14}
}

# missing_of make ninja-build: those that are not installed, one a line.
missing_of() {
  local status package
  status=$(dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
  for package in "$@"; do
    grep --quiet --line-regexp --fixed-strings "installed $package" <<<"$status" ||
      printf '%s\n' "$package"
  done
}

# The version that apt would install; empty where it knows of none.
candidate() {
  apt-cache policy "$1" 2>/dev/null | sed --quiet 's/^  Candidate: \([^(]\)/\1/p'
}

# The program that a handout brings, where it runs here and can do what one that is built here can. Where
# there is a GPU and the CUDA Toolkit that is more, unless it was built with the Toolkit too.
given_program() {
  local program complaint
  program=bin/linux-$(uname -m)/tessera
  if [[ ! -e $program ]]; then return; fi
  # Unpacked by what keeps no permissions.
  if [[ ! -x $program ]] && ! chmod +x "${program%/*}"/* 2>/dev/null; then
    printf 'The program in bin/ may not be run until its owner does this: chmod +x %s\n' "${program%/*}/*" >&2
    return
  fi
  if [[ ! -x ${program}-gpu ]] && { compgen -G '/dev/nvidia[0-9]*' >/dev/null || [[ -e /dev/dxg ]]; } &&
    at_least "$(cuda_version)" "$kCudaOfGpu"; then
    return
  fi
  if complaint=$("$program" --version 2>&1 >/dev/null); then
    printf '%s\n' "$program"
  else
    printf 'The program in bin/ does not run here (%s); it is built from its sources.\n' \
      "$(head -n 1 <<<"$complaint")" >&2
  fi
}

required_missing() {
  [[ -n $(find_clang) ]] || printf 'clang\n'
  if [[ -n $given ]]; then
    command -v make >/dev/null || printf 'make\n'
    return
  fi
  missing_of "${libraries[@]}" "$@"
  [[ -n $(find_gxx) ]] || printf 'g++\n'
  at_least "$(cmake_version)" "$kCmakeNeeded" || printf 'cmake\n'
}

as_root() {
  if [[ $EUID -eq 0 ]]; then
    env DEBIAN_FRONTEND=noninteractive "$@"
  else
    sudo env DEBIAN_FRONTEND=noninteractive "$@"
  fi
}

# Runs apt-get; shows its errors where it fails, and nothing else.
apt_get() {
  local log
  log=$(mktemp)
  if as_root apt-get --yes -o DPkg::Lock::Timeout=120 "$@" </dev/null >"$log" 2>&1; then
    rm -f "$log"
    return 0
  fi
  { grep "^E:" "$log" || tail -n 12 "$log"; } >&2
  rm -f "$log"
  return 1
}

# Refreshes the list of packages; a source that is down, often one that has nothing to do with us,
# need not be in the way.
refresh_packages() {
  printf 'Refreshing the list of packages ...\n'
  apt_get update --error-on=any || printf 'Some lists of packages could not be had (see above); going on with the others.\n'
}

install_packages() {
  apt_get install --no-install-recommends "$@"
}

check_can_install() {
  local wanted="$*"
  if ! command -v apt-get >/dev/null; then
    if [[ -n $given ]]; then
      wanted="the packages $wanted"
    elif command -v dnf >/dev/null; then
      wanted="sudo dnf install $kFedora"
    elif command -v pacman >/dev/null; then
      wanted="sudo pacman -S --needed $kArch"
    fi
    fail "apt-get is not here; this script installs on Debian and Ubuntu alone." \
      "Install this yourself, then run 'make': $wanted"
  fi
  if [[ $EUID -ne 0 ]] && ! command -v sudo >/dev/null; then
    fail "must be root to install: $wanted" \
      "There is no sudo here. Run ./setup.sh as root, or: apt-get install $wanted"
  fi
}

# What to install for a compiler or CMake that is missing or too old here; nothing where the
# distribution has none that is new enough.
package_for() {
  local version
  case $1 in
    g++)
      for version in '' -14 -13 -12; do
        if at_least "$(candidate "g++$version" | sed 's/^[0-9]*://')" "$kGxxNeeded"; then
          printf 'g++%s\n' "$version"
          return
        fi
      done
      ;;
    cmake)
      if at_least "$(candidate cmake | sed 's/^[0-9]*://')" "$kCmakeNeeded"; then
        printf 'cmake\n'
      fi
      ;;
    *) if [[ -n $(candidate "$1") ]]; then printf '%s\n' "$1"; fi ;;
  esac
}

explain_cmake() {
  fail "CMake $kCmakeNeeded or newer is needed; this system packages $(candidate cmake | sed 's/-.*//')." \
    "Install a newer one, for example with one of" \
    "    sudo snap install cmake --classic" \
    "    sudo apt-get install python3-pip && sudo pip3 install cmake" \
    "then run ./setup.sh again. Everything else is installed."
}

install_required() {
  local package found packages=() unknown=() cmake_too_old=false
  refresh_packages
  for package in "$@"; do
    found=$(package_for "$package")
    if [[ -n $found ]]; then
      packages+=("$found")
    elif [[ $package == cmake && -n $(candidate cmake) ]]; then
      cmake_too_old=true
    else
      unknown+=("$package")
    fi
  done
  if [[ ${#unknown[@]} -gt 0 ]]; then
    fail "apt knows no package (new enough) for: ${unknown[*]}" \
      "Is this machine online? Then run ./setup.sh again." \
      "On Ubuntu some are in 'universe': sudo add-apt-repository universe"
  fi
  if [[ ${#packages[@]} -gt 0 ]]; then
    printf 'Installing %s (takes a while) ...\n' "${packages[*]}"
    install_packages "${packages[@]}" ||
      fail "apt-get could not install them (see above)." \
        "Is this machine online, and are you allowed to install? Then run ./setup.sh again."
  fi
  if $cmake_too_old; then explain_cmake; fi
}

# Those of the optional packages that can be had without a question; a failure costs nothing.
install_optional() {
  local package packages=()
  for package in "$@"; do
    if [[ -n $(candidate "$package") ]]; then packages+=("$package"); fi
  done
  if [[ ${#packages[@]} -eq 0 ]]; then return; fi
  printf 'Installing %s ...\n' "${packages[*]}"
  install_packages "${packages[@]}" || printf 'Not installed; Tessera works without.\n'
}

# The validator of the pages comes from npm: no distribution packages one that knows HTML as it is now.
install_html_checker() {
  local npm=(npm)
  if command -v vnu >/dev/null; then return; fi
  if ! command -v npm >/dev/null; then
    printf 'Without npm there is no validator for the pages; their test will say that it is skipped.\n'
    return
  fi
  printf 'Installing vnu-jar %s ...\n' "$kHtmlChecker"
  # Its install script would fetch a Java of its own.
  if [[ $EUID -ne 0 ]]; then npm=(sudo npm); fi
  "${npm[@]}" install --global --ignore-scripts --no-audit --no-fund --loglevel=error \
    "vnu-jar@$kHtmlChecker" </dev/null >/dev/null ||
    printf 'Not installed; the test of the pages will say that it is skipped.\n'
}

cuda_version() {
  local nvcc
  for nvcc in "$(command -v nvcc || true)" "${CUDA_PATH:-/usr/local/cuda}/bin/nvcc" \
    /usr/local/cuda/bin/nvcc; do
    if [[ -x $nvcc ]]; then
      "$nvcc" --version | sed --quiet 's/.*release \([0-9.]*\).*/\1/p'
      return
    fi
  done
}

# The number of the first lab here: 00.
first_lab() {
  local labs=(labs/[0-9][0-9]-*/lab.yaml) first
  first=${labs[0]#labs/}
  printf '%s\n' "${first%%-*}"
}

say_what_is_here() {
  local cuda
  cuda=$(cuda_version)
  if [[ -n $given ]]; then
    printf 'Program          %s, Tessera %s: nothing has to be compiled\n' "$given" "$("$given" --version)"
  else
    printf 'Host compiler    %s\n' "$(find_gxx)"
    printf 'Build            cmake %s\n' "$(cmake_version)"
  fi
  printf 'Device compiler  %s\n' "$(find_clang)"
  if at_least "$cuda" "$kCudaNeeded"; then
    printf 'CUDA Toolkit     %s: kernels are compiled with its NVRTC, or with clang on request\n' "$cuda"
  elif [[ -n $cuda ]]; then
    printf 'CUDA Toolkit     %s is older than %s and is not used: kernels are compiled with clang; that is fine\n' \
      "$cuda" "$kCudaNeeded"
  else
    printf 'CUDA Toolkit     no CUDA Toolkit: kernels are compiled with clang; that is fine\n'
  fi
  printf '\nAll that is needed is here. Next:  make grade LAB=%s           (your own first lab)\n' "$(first_lab)"
  if compgen -G 'solutions/*/kernel.cu' >/dev/null; then
    printf '                            or:  make grade FROM=solutions   (the reference solutions)\n'
  fi
}

main() {
  local extra=() required=() wished=() installed=false developer=false given
  given=$(given_program)
  case ${1-} in
    '') if [[ -n $given ]]; then optional=(bubblewrap); fi ;;
    --program)
      printf '%s\n' "$given"
      return
      ;;
    --dev)
      extra=(clang-format-14 clang-tidy shellcheck file dpkg-dev)
      developer=true
      # Ubuntu has Chromium as a snap alone; there the test of the pages says that it is skipped.
      # libclang-rt and libomp are for make fuzz.
      optional+=(chromium-headless-shell fonts-dejavu-core libclang-rt-14-dev libomp-dev zsh fish)
      command -v java >/dev/null || optional+=(default-jre-headless)
      ;;
    -h | --help)
      sed --quiet '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0"
      return
      ;;
    *) fail "unknown option $1; usage: ./setup.sh [--dev]" ;;
  esac

  mapfile -t required < <(required_missing "${extra[@]}")
  if [[ ${#required[@]} -gt 0 ]]; then
    check_can_install "${required[@]}"
    install_required "${required[@]}"
    installed=true
    mapfile -t required < <(required_missing "${extra[@]}")
    if [[ ${#required[@]} -gt 0 ]]; then
      fail "still missing or too old: ${required[*]}" \
        "Does an older one come first in PATH? ($(type -P g++ clang++ cmake | tr '\n' ' '))"
    fi
  fi
  # Optional packages ride along where something is installed anyway, or where root asks.
  if $installed || [[ $EUID -eq 0 ]]; then
    mapfile -t wished < <(missing_of "${optional[@]}")
    if [[ ${#wished[@]} -gt 0 ]]; then
      # A new machine has no list yet, and all that is required may be there already.
      if $developer && ! $installed; then refresh_packages; fi
      install_optional "${wished[@]}"
    fi
  fi
  if $developer; then install_html_checker; fi
  say_what_is_here
}

cd "$(dirname "${BASH_SOURCE[0]}")"
main "$@"
