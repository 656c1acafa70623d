#!/usr/bin/env bash
# A wheel of the build as it is, in an environment of its own: the README's example, schedules as
# Python text, the tools.
# usage: wheel_test.sh REPOSITORY WORK [index]
# Halide's wheel is that of the build's environment; with `index`, pip installs all that is needed, as
# a user's would.
set -euo pipefail
repository=$1 work=$2 from=${3:-build}
here="$repository/test/wheel"

rm -rf "$work"
mkdir -p "$work"
cd "$work"
"$repository/tools/make_wheel" --as-built wheel
builder="$repository/.venv/bin/python"
if [[ "$from" == index ]]; then
    "$builder" -m venv venv
    venv/bin/python -m pip install --quiet --disable-pip-version-check wheel/*.whl
else
    "$builder" -m venv --without-pip venv
    "$builder" -m pip --python venv/bin/python install --quiet --disable-pip-version-check --no-deps \
        --no-index wheel/*.whl
    packages="$(venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
    ours="$("$builder" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
    for package in halide imageio numpy numpy.libs PIL pillow.libs; do
        ln -s "$ours/$package" "$packages/"
    done
fi
# Nothing of the build is to be found by accident.
unset LD_LIBRARY_PATH PYTHONPATH

export HL_OCL_DEVICE_TYPE=cpu
venv/bin/python "$repository/test/use/python_example.py" >example.txt
grep -x "0 of 1572864 pixels are wrong" example.txt
venv/bin/python "$repository/test/use/python_short.py" >short.txt
grep -q "^def apply_schedule" short.txt
grep -q "us predicted on" short.txt
venv/bin/python "$repository/test/use/python_tuned.py" tuned opencl 4t >tuned.txt
grep -q " ms without tuning, .* ms with it$" tuned.txt
[[ -f tuned/tuned/soften.trace.json ]]
venv/bin/python "$here/python_text_test.py"
venv/bin/python "$here/package_test.py"
venv/bin/python "$here/inductor_test.py"
if [[ "$from" == index ]]; then venv/bin/python "$here/tune_test.py"; fi
