#!/usr/bin/env bash
# Tunes one application after the other, overnight: goes on with the next where one fails, and with
# the first unfinished one where an earlier call was ended.
set -uo pipefail

usage() {
    cat <<'USAGE'
usage: tools/autotune_loop.sh [OPTION]... APP... [-- AUTOTUNE_OPTION...]

  APP            an application, or all, of ../apps or of autotune's --apps-folder
  --out DIR      results and records (default: tuned); an APP whose DIR/APP.done is there is left
                 out, with other options, too: remove that file to tune it again
  --budget B     of each application: 30m, 400t or 2h,1000t (default: 30m)
  --device D     cuda or opencl (default: cuda)
  --bin DIR      where autotune is (default: build/bin beside this script's folder)
  --help         show this text

What follows "--" goes to autotune: -- --strategy coordinate_descent --seed 3
USAGE
}

HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)"
out=tuned budget=30m device=cuda bin="$HERE/build/bin" apps=() more=()

fail() {
    printf 'autotune_loop: %s\n' "$*" >&2
    exit 2
}

while (($#)); do
    case $1 in
        --help) usage && exit 0 ;;
        --out | --budget | --device | --bin)
            (($# > 1)) || fail "$1: expected a value"
            printf -v "${1#--}" '%s' "$2"
            shift 2
            ;;
        --)
            shift
            more=("$@")
            break
            ;;
        -*) fail "unknown option $1; --help names them" ;;
        *) apps+=("$1") && shift ;;
    esac
done
((${#apps[@]})) || fail "name an application, or all"
[[ -x "$bin/autotune" ]] || fail "there is no $bin/autotune; build it, or name its folder by --bin"
apps_folder="$bin/../apps"
for ((i = 0; i < ${#more[@]}; i++)); do
    case ${more[i]} in
        --apps-folder) apps_folder=${more[i + 1]:-} ;;
        --apps-folder=*) apps_folder=${more[i]#*=} ;;
    esac
done
known=()
for description in "$apps_folder"/*/app.json; do
    [[ -e "$description" ]] && known+=("$(basename "$(dirname "$description")")")
done
((${#known[@]})) || fail "there are no applications in $apps_folder"
[[ ${apps[*]} == all ]] && apps=("${known[@]}")
# Before any is tuned: a name that is wrong would be told hours later.
for app in "${apps[@]}"; do
    [[ " ${known[*]} " == *" $app "* ]] || fail "no application '$app'; there are: ${known[*]}"
done

mkdir -p "$out"
failed=()
for app in "${apps[@]}"; do
    if [[ -e "$out/$app.done" ]]; then
        printf 'autotune_loop: %s is done; remove %s to tune it again\n' "$app" "$out/$app.done"
        continue
    fi
    "$bin/autotune" --app "$app" --device "$device" --budget "$budget" \
        --records "$out/autotune.records" --export "$out" "${more[@]}"
    case $? in
        0) touch "$out/$app.done" ;;
        130) exit 130 ;;
        *) failed+=("$app") ;;
    esac
done
if ((${#failed[@]})); then
    printf 'autotune_loop: failed: %s\n' "${failed[*]}" >&2
    exit 1
fi
