#!/usr/bin/env bash
# Explains a schedule, and what differs between it and another one.
# usage: explain.sh BIN PLUGIN GENERATOR NAME FOLDER
set -euo pipefail
bin=$1 plugin=$2 generator=$3 name=$4 folder=$5

schedule() {
    "$generator" -g "$name" -o "$folder" -e schedule -p "$plugin" \
        target=host-cuda autoscheduler=GPU autoscheduler.gpu=A100 "$@"
}

# A page to open in a browser, and the report that it is made of.
schedule "autoscheduler.explain=$folder/explained.html" "autoscheduler.report=$folder/report.json"

# The same page from the report: it is there for reports that were written without `explain`, too,
# and says then how to have what else could have been decided.
"$bin/explain_schedule" --html "$folder/again.html" "$folder/report.json"

# Another schedule of the pipeline, and what differs: in words, and as a page.
schedule autoscheduler.strategy=greedy_grouping "autoscheduler.report=$folder/other.json"
"$bin/explain_schedule" --diff "$folder/report.json" "$folder/other.json"
"$bin/explain_schedule" --diff "$folder/report.json" "$folder/other.json" \
    --html "$folder/difference.html"
