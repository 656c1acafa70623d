#!/usr/bin/env bash
# tools/quickstart as the first page shows it, with what is built already; and which folders it takes
# for its own.
# usage: quickstart_test.sh QUICKSTART
set -euo pipefail
rm -rf "$WORK"
mkdir -p "$WORK"
QUICKSTART=$1
"$QUICKSTART" --as-built --out "$WORK/out"
for file in summary.txt unsharp.png unsharp.schedule.h report.json; do
    test -s "$WORK/out/$file"
done
grep -q "^predicted time " "$WORK/out/summary.txt"

# refuses FOLDER FILE: that is not its own, and stays.
refuses() {
    if "$QUICKSTART" --as-built --out "$1" 2>"$WORK/said.txt"; then return 1; fi
    grep -qF "holds something else than results of this script: ./$2." "$WORK/said.txt"
    test -e "$1/$2"
}
mkdir "$WORK/theirs"
touch "$WORK/theirs/summary.txt"
refuses "$WORK/theirs" summary.txt
# Its own results are taken, and stay until there are others.
if "$QUICKSTART" --as-built --out "$WORK/out" --gpu no_such_gpu 2>"$WORK/said.txt"; then
    exit 1
fi
grep -q "unknown GPU" "$WORK/said.txt"
test -s "$WORK/out/summary.txt"
touch "$WORK/out/opencl/notes.txt"
refuses "$WORK/out" opencl/notes.txt
