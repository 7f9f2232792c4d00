#!/usr/bin/env bash
# Prints the words of PTX that the simulator's sources name, as a dictionary for libFuzzer.
set -euo pipefail
cd "$(dirname "$0")/.."
grep --no-filename --only-matching --extended-regexp '"[%a-zA-Z_][a-zA-Z0-9_:.]{0,24}"' \
  decode*.cpp instruction_* ops_*.cpp parse*.cpp ptx.cpp builtins.cpp module.cpp |
  sort --unique
