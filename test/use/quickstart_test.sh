#!/usr/bin/env bash
# tools/quickstart as the first page shows it, with what is built already.
# usage: quickstart_test.sh QUICKSTART
set -euo pipefail
rm -rf "$WORK"
mkdir -p "$WORK"
"$1" --as-built --out "$WORK/out"
for file in summary.txt unsharp.png unsharp.schedule.h report.json; do
    test -s "$WORK/out/$file"
done
grep -q "^predicted time " "$WORK/out/summary.txt"
