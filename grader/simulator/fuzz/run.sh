#!/usr/bin/env bash
# run.sh BUILD SECONDS JOBS: runs every target of BUILD/fuzz_targets for an equal share of the time, on
# JOBS cores. Interesting inputs stay in BUILD/corpus. Of a target's seeds it takes the smallest 300: a
# large one costs as much time as hundreds of small ones. Ends at the first input that fails and
# prints how to repeat it.
# run.sh --short BUILD SECONDS JOBS: starts from the repository's corpus only, with one seed, and keeps
# nothing; runs JOBS targets side by side.
set -euo pipefail

short=false
if [[ ${1-} == --short ]]; then
  short=true
  shift
fi
build=$1
seconds=$2
jobs=${3-1}
scratch=$(mktemp --directory)
trap 'rm -rf "$scratch"' EXIT

count=$(wc -l <"$build/fuzz_targets")
share=$((seconds / count))  # of processor time: JOBS targets run side by side

# run_target NAME PROGRAM CORPUS DICTIONARY SEEDS: runs a target; the arguments are a line of fuzz_targets.
run_target() {
  local name=$1 program=$2 corpus=$3 dictionary=$4 seeds=$5
  local kept=$build/corpus/$name log=$scratch/$name.log
  local options=(-max_total_time=$((share > 0 ? share : 1)) -timeout=20 -rss_limit_mb=4096
    -max_len=30000 "-artifact_prefix=$build/found-$name-")
  [[ $dictionary == - ]] || options+=("-dict=$dictionary")
  if $short; then
    kept=$scratch/$name
    options+=(-seed=1)
  elif [[ $jobs -gt 1 ]]; then
    options+=("-fork=$jobs")
  fi
  mkdir -p "$kept"
  local folders=("$kept" "$corpus")
  if ! $short && [[ $seeds != - && -d $build/seeds/$seeds ]]; then
    mkdir -p "$scratch/$name-seeds"
    find "$build/seeds/$seeds" -type f -printf '%s %p\n' | sort -n | sed -n '1,300s/^[0-9]* //p' |
      xargs -d '\n' cp -t "$scratch/$name-seeds"
    folders+=("$scratch/$name-seeds")
  fi
  if ! nice "$program" "${options[@]}" "${folders[@]}" >"$log" 2>&1 </dev/null; then
    grep --max-count=1 --after-context=12 --extended-regexp 'ERROR|runtime error|what\(\)' "$log" >&2 ||
      tail -n 20 "$log" >&2
    echo "$name failed. Repeat it with: $program $(grep --only-matching "$build/found-$name-[^ ]*" "$log" | tail -n 1)" >&2
    echo "Keep the input, minimised, in $corpus: every test run reads it." >&2
    return 1
  fi
  echo "$name: nothing found ($(grep --extended-regexp --only-matching '^#[0-9]+' "$log" | tail -n 1 | tr -d '#') inputs)"
}

running=0
while read -r name program corpus dictionary seeds; do
  if ! $short; then
    run_target "$name" "$program" "$corpus" "$dictionary" "$seeds"
    continue
  fi
  if [[ $running -ge $jobs ]]; then
    wait -n
    running=$((running - 1))
  fi
  run_target "$name" "$program" "$corpus" "$dictionary" "$seeds" &
  running=$((running + 1))
done <"$build/fuzz_targets"
for ((; running > 0; --running)); do wait -n; done
