#!/usr/bin/env bash
# Compiles the kernel of a lab together with a host program of this folder, and runs it.
#
#   common/run/run.sh [--from DIR] [--build DIR] [--debug] [--compile-only] LAB [OPTION ...]
#
# LAB      03, 3, tiled or 03-tiled
# --from   a folder with NN-name/kernel.cu or kernel.cu (labs)
# --build  the program is written to DIR/run/NN-name (build)
# --debug  compiles for cuda-gdb: every variable can be inspected, and nothing is fast
# OPTION   goes to the program: --size 1024, --memory pinned, --help, ...
#
# Needs nvcc and nothing else of Tessera. Exits with the program's status: 0 the result is right, 1 it
# is wrong, 2 a mistake on the command line, 3 nvcc or a GPU is missing.
set -euo pipefail

from=labs build=build debug='' compile_only=''

fail() {
  local status=$1
  shift
  printf 'make run: %s\n' "$@" >&2
  exit "$status"
}

lab_names() {
  local file
  for file in labs/*/lab.yaml; do basename "${file%/lab.yaml}"; done
}

# Prints the one lab that the word names: by its whole name, its number, or the rest of the name.
find_lab() {
  local name number found=()
  set -- "${1%/}"
  set -- "${1##*/}" # shell completion gives a folder: labs/03-tiled/
  while read -r name; do
    number=${name%%-*}
    if [[ $1 == "$name" || $1 == "${name#*-}" ||
      ($1 =~ ^[0-9]+$ && $number =~ ^[0-9]+$ && $((10#$1)) == "$((10#$number))") ]]; then
      found+=("$name")
    fi
  done < <(lab_names)
  if [[ -z $1 ]]; then
    fail 2 "which lab? make run LAB=03 N=1024; there are $(lab_names | paste -sd ' ')"
  elif [[ ${#found[@]} -eq 0 ]]; then
    fail 2 "no lab '$1'; there are $(lab_names | paste -sd ' ')"
  elif [[ ${#found[@]} -gt 1 ]]; then
    fail 2 "'$1' means several labs: ${found[*]}; give a whole name"
  fi
  printf '%s\n' "${found[0]}"
}

find_nvcc() {
  local nvcc
  for nvcc in "$(command -v nvcc || true)" "${CUDA_PATH:-/usr/local/cuda}/bin/nvcc"; do
    if [[ -x $nvcc ]]; then
      printf '%s\n' "$nvcc"
      return
    fi
  done
  fail 3 "no nvcc here. The program is compiled with the CUDA Toolkit, 12 or newer, and runs on a GPU." \
    "If the Toolkit is installed, put its folder bin into PATH, or set CUDA_PATH." \
    "Without a GPU and without the Toolkit: make grade LAB=${1%%-*}"
}

# scalar NAME: a word of lab.yaml. list NAME: [A, B, C] as "A, B, C".
scalar() { sed -n "s/^$1: *[\"']\{0,1\}\([A-Za-z0-9_]*\).*/\1/p" "$yaml"; }
list() { sed -n "s/^$1: *\[ *\([^]]*[^] ]\) *\].*/\1/p" "$yaml"; }

# The last value that lab.yaml gives to each name: that of the timed shape, or of the last case.
shape_of() {
  local name value
  for name in "$@"; do
    value=$(sed 's/#.*//' "$yaml" | grep -oP "(?<=[{, ])$name: *\K[0-9]+" | tail -n 1 || true)
    printf '%s=%s ' "$name" "${value:-1024}"
  done | sed 's/ $//'
}

main() {
  while [[ ${1-} == --* ]]; do
    case $1 in
      --from) from=${2-} && shift ;;
      --build) build=${2-} && shift ;;
      --debug) debug=yes ;;
      --compile-only) compile_only=yes ;;
      *) fail 2 "unknown option $1 before the lab" ;;
    esac
    shift
  done
  local lab yaml kernel nvcc operation element input extents=() parameters=() program header command capability
  lab=$(find_lab "${1-}")
  shift || true
  yaml=labs/$lab/lab.yaml

  kernel=${from%/}/$lab/kernel.cu
  if [[ ! -f $kernel && -f ${from%/}/kernel.cu ]]; then kernel=${from%/}/kernel.cu; fi
  [[ -f $kernel ]] || fail 2 "no $kernel"

  operation=$(scalar operation)
  [[ -n $operation ]] || fail 2 "$lab declares its operation itself; there is a host program for those of the kit alone." \
    "Write one like common/run/matmul.cu, or: make grade LAB=${lab%%-*}"
  nvcc=$(find_nvcc "$lab")
  [[ -f common/run/$operation.cu ]] || fail 2 "$yaml: there is no common/run/$operation.cu"
  [[ -n $(list arguments) ]] || fail 2 "$yaml: 'arguments' must stand on one line, as [A, B, C]"
  case $(scalar element) in int32) element=int ;; *) element=float ;; esac
  case $(scalar element) in bfloat16) input=__nv_bfloat16 ;; float16) input=__half ;; *) input=$element ;; esac
  # The extents that the program lets --size set: {"m", "n", "k"}.
  mapfile -t extents < <(grep -oP 'LAB_SHAPE, \{\K[^}]*' "common/run/$operation.cu" | grep -oP '\w+')
  mapfile -t parameters < <(list parameters | grep -oP '\w+' || true)
  local declarations='' name launch
  for name in "${parameters[@]}"; do declarations+="const int $name = options[\"$name\"];"; done
  launch=$(printf ', %s' "${extents[@]}" "${parameters[@]}")

  program=$build/run/$lab${debug:+.debug}
  header=$program.h
  # -lineinfo: ncu and compute-sanitizer name source lines. -arch=native: for the GPU of this machine;
  # without a GPU, nvcc's default, which every newer GPU can translate. compute_90a: with what that
  # architecture alone has.
  command=("$nvcc" -std=c++20 -I . -I common/include -include "$header")
  if [[ -n $debug ]]; then command+=(-g -G); else command+=(-O3 -lineinfo); fi
  capability=$(scalar compute_capability)
  if [[ -n $capability ]]; then
    command+=(-gencode "arch=compute_${capability}a,code=sm_${capability}a")
  elif compgen -G '/dev/nvidia[0-9]*' >/dev/null || [[ -e /dev/dxg ]]; then
    command+=(-arch=native)
  elif [[ $input == __nv_bfloat16 ]]; then
    command+=(-arch=sm_80) # the first that knows the type
  fi
  command+=("common/run/$operation.cu" -o "$program")
  compile <<-EOF
	// Values from $yaml for common/run/$operation.cu; written by make run.
	//   ${command[@]}
	#define LAB "$lab"
	#define LAB_KERNEL_FILE "$kernel"
	#define LAB_KERNEL $(scalar kernel)
	#define LAB_ARGUMENTS $(list arguments)
	#define LAB_LAUNCH ${launch#, }
	#define LAB_ELEMENT $element
	#define LAB_INPUT $input
	#define LAB_SHAPE "$(shape_of "${extents[@]}" "${parameters[@]}")"
	#define LAB_PARAMETERS $declarations
	EOF
  if [[ -n $compile_only ]]; then return; fi
  [[ $program == */* ]] || program=./$program
  exec "$program" "$@"
}

# Runs $command with standard input as $header, unless neither the header nor a source has changed.
compile() {
  local wanted
  wanted=$(cat)
  if [[ -x $program && -f $header && $(<"$header") == "$wanted" &&
    -z $(find "$(dirname "$kernel")" common/run common/include -newer "$program" -print -quit) ]]; then
    return
  fi
  mkdir -p "$build/run"
  rm -f "$program"
  printf '%s\n' "$wanted" >"$header"
  printf '%s\n' "${command[*]}"
  "${command[@]}" || fail 1 "$kernel does not compile (see above)"
}

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
main "$@"
