#!/usr/bin/env bash
# Installs the packages that Tessera needs to build itself and to compile kernels, on Debian 12 and
# Ubuntu 22.04 or newer. Installs only what is missing; a second run changes nothing and needs no network.
#
#   ./setup.sh          for grading, building and testing
#   ./setup.sh --dev    also installs the tools that check sources (clang-format, clang-tidy, shellcheck),
#                       pages (Chromium, the Nu Html Checker) and completions (zsh, fish), and the tools
#                       that make packages (file, dpkg-dev)
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
# Students do not need these: ccache saves time, bubblewrap isolates submissions, gnuplot draws the
# plots of experiments, libxml2-utils validates XML in the tests, tzdata has the time zones of due
# dates, the others are for the gradebook.
optional=(ccache bubblewrap gnuplot-nox libxml2-utils libsqlitecpp-dev libsqlite3-dev libarchive-dev
  libcsv-dev tzdata)

# The packages on Fedora and on Arch; neither list has been tested.
readonly kFedora="gcc-c++ cmake ninja-build make clang yaml-cpp-devel cli11-devel fmt-devel json-devel gtest-devel \
gmock-devel google-benchmark-devel libseccomp-devel bubblewrap sqlitecpp-devel libarchive-devel libcsv-devel"
readonly kArch="gcc cmake ninja make clang yaml-cpp cli11 fmt nlohmann-json gtest benchmark libseccomp bubblewrap \
libarchive"

# fail PROBLEM ADVICE...: prints both and ends the script.
fail() {
  printf 'setup.sh: %s\n' "$1" >&2
  shift
  printf '  %s\n' "$@" >&2
  exit 1
}

# at_least 3.25.1 3.25: succeeds if the first version is the second or a later one.
at_least() {
  [[ -n $1 ]] && printf '%s\n%s\n' "$2" "$1" | sort --version-sort --check=quiet
}

first_version() {
  grep --only-matching --extended-regexp '[0-9]+(\.[0-9]+)+' | head -n 1 || true
}

cmake_version() {
  if command -v cmake >/dev/null; then cmake --version 2>/dev/null | first_version; fi
}

# newest_of 12 g++ g++-14 g++-13: prints the first of these programs whose version is 12 or later, and
# the version.
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

# missing_of make ninja-build: prints the packages that are not installed, each on a line.
missing_of() {
  local status package
  status=$(dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
  for package in "$@"; do
    grep --quiet --line-regexp --fixed-strings "installed $package" <<<"$status" ||
      printf '%s\n' "$package"
  done
}

# Prints the version that apt would install; nothing if apt has no such package.
candidate() {
  apt-cache policy "$1" 2>/dev/null | sed --quiet 's/^  Candidate: \([^(]\)/\1/p'
}

# Prints the path of a handout's program if it runs here and can do all that a program built here could.
# With a GPU and the CUDA Toolkit the latter measures time too, so the handout's needs its tessera-gpu.
given_program() {
  local program complaint
  program=bin/linux-$(uname -m)/tessera
  if [[ ! -e $program ]]; then return; fi
  # Some unpackers do not keep permissions.
  if [[ ! -x $program ]] && ! chmod +x "${program%/*}"/* 2>/dev/null; then
    printf 'The program in bin/ is not executable; its owner has to run: chmod +x %s\n' "${program%/*}/*" >&2
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

# Runs apt-get; prints only its errors, if it fails.
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

# Refreshes the list of packages. A source that is down, often an unrelated one, does not stop the script.
refresh_packages() {
  printf 'Refreshing the list of packages ...\n'
  apt_get update --error-on=any || printf 'Some lists of packages could not be fetched (see above); continuing with the others.\n'
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
    fail "there is no apt-get; this script installs packages only on Debian and Ubuntu." \
      "Install this yourself, then run 'make': $wanted"
  fi
  if [[ $EUID -ne 0 ]] && ! command -v sudo >/dev/null; then
    fail "only root can install: $wanted" \
      "There is no sudo here. Run ./setup.sh as root, or: apt-get install $wanted"
  fi
}

# Prints the package to install for a program that is missing or too old; nothing if the distribution
# has none that is new enough.
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
    "and run ./setup.sh again. Everything else is installed."
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
      "Check that this machine is online and run ./setup.sh again." \
      "On Ubuntu some are in 'universe': sudo add-apt-repository universe"
  fi
  if [[ ${#packages[@]} -gt 0 ]]; then
    printf 'Installing %s (this takes a while) ...\n' "${packages[*]}"
    install_packages "${packages[@]}" ||
      fail "apt-get could not install them (see above)." \
        "Check that this machine is online and that you may install packages, and run ./setup.sh again."
  fi
  if $cmake_too_old; then explain_cmake; fi
}

# Installs the optional packages that apt has; a failure is only reported.
install_optional() {
  local package packages=()
  for package in "$@"; do
    if [[ -n $(candidate "$package") ]]; then packages+=("$package"); fi
  done
  if [[ ${#packages[@]} -eq 0 ]]; then return; fi
  printf 'Installing %s ...\n' "${packages[*]}"
  install_packages "${packages[@]}" || printf 'Not installed; Tessera works without them.\n'
}

# The validator of the pages comes from npm: no distribution has a version that knows current HTML.
install_html_checker() {
  local npm=(npm)
  if command -v vnu >/dev/null; then return; fi
  if ! command -v npm >/dev/null; then
    printf 'Without npm the validator for the pages cannot be installed; their test will be skipped.\n'
    return
  fi
  printf 'Installing vnu-jar %s ...\n' "$kHtmlChecker"
  # The package's install script would download a Java runtime.
  if [[ $EUID -ne 0 ]]; then npm=(sudo npm); fi
  "${npm[@]}" install --global --ignore-scripts --no-audit --no-fund --loglevel=error \
    "vnu-jar@$kHtmlChecker" </dev/null >/dev/null ||
    printf 'Not installed; the test of the pages will be skipped.\n'
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

# Prints the number of the first lab here: 00.
first_lab() {
  local labs=(labs/[0-9][0-9]-*/lab.yaml) first
  first=${labs[0]#labs/}
  printf '%s\n' "${first%%-*}"
}

print_summary() {
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
    printf 'CUDA Toolkit     none: kernels are compiled with clang; that is fine\n'
  fi
  printf '\nEverything needed is installed. Next:  make grade LAB=%s           (your own first lab)\n' "$(first_lab)"
  if compgen -G 'solutions/*/kernel.cu' >/dev/null; then
    printf '                                  or:  make grade FROM=solutions   (the reference solutions)\n'
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
      # Ubuntu has Chromium only as a snap; there the test of the pages is skipped.
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
        "Is an older version first in PATH? ($(type -P g++ clang++ cmake | tr '\n' ' '))"
    fi
  fi
  # Optional packages are installed if something is installed anyway, or if root runs the script.
  if $installed || [[ $EUID -eq 0 ]]; then
    mapfile -t wished < <(missing_of "${optional[@]}")
    if [[ ${#wished[@]} -gt 0 ]]; then
      # A new machine has no list of packages yet, even if everything required is installed.
      if $developer && ! $installed; then refresh_packages; fi
      install_optional "${wished[@]}"
    fi
  fi
  if $developer; then install_html_checker; fi
  print_summary
}

cd "$(dirname "${BASH_SOURCE[0]}")"
main "$@"
