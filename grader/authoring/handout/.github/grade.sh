#!/usr/bin/env bash
# Grades all labs; writes the run's summary and a note at the line of each finding. Ends with the
# status of `tessera grade`: 1 while points are missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

result=$(mktemp)
trap 'rm -f "$result"' EXIT
status=0
text=$("${TESSERA:-build/tessera}" grade --backend simulator --json "$result") || status=$?
printf '%s\n' "$text"
printf '%s\n' '~~~text' "$text" '~~~' >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
if [[ -s $result ]] && command -v jq >/dev/null; then
  jq --raw-output '
    def escaped: gsub("%"; "%25") | gsub("\r"; "%0D") | gsub("\n"; "%0A");
    (if type == "array" then .[] else . end) | .lab as $lab | .items[].findings[]
    | select(.severity == "error" and .line > 0)
    | "::error file=labs/\($lab)/kernel.cu,line=\(.line),title=\(.kind)::\(.message | escaped)"
  ' "$result" | sort --unique
fi
exit "$status"
