#!/usr/bin/env bash
# PyTorch from the package index, in an environment of its own, and the check of all its pipelines.
# usage: inductor_test.sh PYTHON PLUGIN PTXAS_REPORT WORK [NAME...]
set -euo pipefail
python=$1 plugin=$2 ptxas_report=$3 work=$4
shift 4
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)"

mkdir -p "$work"
[[ -x "$work/venv/bin/python" ]] || "$python" -m venv "$work/venv"
halide="$("$python" -c 'import importlib.metadata as m; print(m.version("halide"))')"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check \
    torch==2.9.1 "halide==$halide" numpy
export HL_OCL_DEVICE_TYPE=cpu
exec "$work/venv/bin/python" "$here/inductor_check.py" "$plugin" "$ptxas_report" "$@"
