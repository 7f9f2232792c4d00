#!/usr/bin/env bash
# Prints the PTX words in the simulator's sources as a dictionary for libFuzzer.
set -euo pipefail
cd "$(dirname "$0")/.."
grep --no-filename --only-matching --extended-regexp '"[%a-zA-Z_][a-zA-Z0-9_:.]{0,24}"' \
  decode/decode*.cpp exec/ops_*.cpp exec/builtins.cpp module.cpp ptx/instruction_set* ptx/parse*.cpp ptx/ptx.cpp |
  sort --unique
