# Writes a C++ source with the bytes of weights files: scheduler/model/shipped_weights.h.
#
#   cmake -DOUTPUT=shipped_weights.cpp "-DFILES=a.weights;b.weights" -P embed_weights.cmake
set(arrays "")
set(rows "")
set(count 0)
foreach (file IN LISTS FILES)
    get_filename_component(name "${file}" NAME)
    file(READ "${file}" hex HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
    string(APPEND arrays "constexpr unsigned char kFile${count}[] = {${bytes}};\n")
    string(APPEND rows "    shipped(\"${name}\", kFile${count}),\n")
    math(EXPR count "${count} + 1")
endforeach ()

file(WRITE "${OUTPUT}" "// Made by cmake/embed_weights.cmake.
#include \"scheduler/model/shipped_weights.h\"

#include <array>

namespace autoschedule_gpu {
namespace {

${arrays}
[[maybe_unused]] ShippedFile shipped(std::string_view name, std::span<const unsigned char> bytes) {
    return {name, {reinterpret_cast<const char *>(bytes.data()), bytes.size()}};
}

}  // namespace

std::span<const ShippedFile> shipped_weights() {
    static const std::array<ShippedFile, ${count}> files = {
${rows}    };
    return files;
}

}  // namespace autoschedule_gpu
")
