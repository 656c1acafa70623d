#!/usr/bin/env bash
# Tunes one application after the other, overnight: goes on with the next where one fails, and with
# the first unfinished one where an earlier call was ended.
set -uo pipefail

usage() {
    cat <<'USAGE'
usage: tools/autotune_loop.sh [OPTION]... APP... [-- AUTOTUNE_OPTION...]

  APP            an application, or all
  --out DIR      results and records (default: tuned); an APP whose DIR/APP.done is there is left out
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
if [[ ${apps[*]} == all ]]; then
    apps=()
    for description in "$bin"/../apps/*/app.json; do
        apps+=("$(basename "$(dirname "$description")")")
    done
fi

mkdir -p "$out"
failed=()
for app in "${apps[@]}"; do
    if [[ -e "$out/$app.done" ]]; then
        printf 'autotune_loop: %s is done\n' "$app"
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
