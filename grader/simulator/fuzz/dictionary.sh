#!/usr/bin/env bash
# Writes the words of PTX that the simulator's sources name, as a dictionary of libFuzzer's.
set -euo pipefail
cd "$(dirname "$0")/.."
echo "# Made by dictionary.sh from the words in the simulator's sources."
grep --no-filename --only-matching --extended-regexp '"[%a-zA-Z_][a-zA-Z0-9_:.]{0,24}"' \
  decode*.cpp ops_*.cpp parse*.cpp ptx.cpp builtins.cpp module.cpp instruction_timing.cpp |
  sort --unique
