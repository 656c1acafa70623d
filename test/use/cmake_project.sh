#!/usr/bin/env bash
# usage: cmake_project.sh build|install
# Builds the example project with the package AutoscheduleGPU, from this project's build folder or
# from a copy installed for the purpose, and runs it. The variables come from
# test/use/CMakeLists.txt.
set -euxo pipefail
rm -rf "$WORK"
mkdir -p "$WORK"

# Fails if a document of the folder has a link that leads nowhere.
dead_links() (
    set +x
    status=0 found=0
    while IFS=: read -r file link; do
        if [[ ! -e "$(dirname "$file")/$link" ]]; then
            echo "$file: $link is not there"
            status=1
        fi
        found=1
    done < <(grep -roE '\]\([^)#: ]+[)#]' --include='*.md' "$1" | sed -E 's/\]\(//; s/[)#]$//')
    if ((!found)); then echo "there are no links in the documents of $1" && status=1; fi
    return "$status"
)

case "$1" in
build)
    package=("-DAutoscheduleGPU_DIR=$BUILD")
    ;;
install)
    "$CMAKE" --install "$BUILD" --prefix "$WORK/prefix"
    package=("-DCMAKE_PREFIX_PATH=$WORK/prefix")
    if ldd "$WORK/prefix/lib/libautoschedule_gpu.so" | grep 'not found'; then exit 1; fi
    test -n "$(find "$WORK/prefix/share/doc" -name README.md)"
    dead_links "$WORK/prefix/share/doc"
    test -s "$WORK/prefix/share/man/man1/pipeline_runner.1"
    ;;
esac

cp -r "$EXAMPLE" "$WORK/project"
"$CMAKE" -S "$WORK/project" -B "$WORK/project/build" -G Ninja "-DCMAKE_MAKE_PROGRAM=$NINJA" \
    "${package[@]}"
"$CMAKE" --build "$WORK/project/build" --parallel 1
"$WORK/project/build/main"

# The installed package must not lean on the build folder.
if [[ "$1" == install ]]; then
    if grep -rF "$BUILD/lib/" "$WORK/prefix/lib/cmake" "$WORK/project/build/build.ninja"; then
        exit 1
    fi
fi
