// A folder that holds what a pipeline should compute:
//
//     reference.json   the arguments: sizes, layouts and scalars with which it was run, and the
//                      seed and the ranges from which its inputs can be made again
//     NAME.raw         each output, packed, in the machine's own byte order
//
//     {"format": "autoschedule_gpu.reference", "version": 2, "name": "unsharp", "seed": 1,
//      "target": "x86-64-linux", "inputs": ["input=-1:1"], "arguments": [
//        {"name": "input", "kind": "input", "type": "float32",
//         "dimensions": [{"min": 0, "extent": 1536, "stride": 1}, ...]},
//        {"name": "sigma", "kind": "scalar", "type": "float32", "bits": 1069547520}, ...]}
//
// The folder is made under another name beside its place and then renamed, so there is never half a
// reference.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/support/error.h"
#include "lab/run/filter_argument.h"
#include "lab/run/input_range.h"

namespace autoschedule_gpu {

struct Reference {
    std::string name = {};
    std::string target = {};  // that of the library that computed it
    uint64_t seed = 0;
    InputRanges inputs = {};  // of inputs that are not filled as usual
    std::vector<FilterArgument> arguments = {};
};

// Writes a reference; `outputs` holds the memory of each output, in the order of the arguments. An
// earlier reference in `folder` is replaced; any other folder that is not empty is an error.
Status write_reference(const std::string &folder, const Reference &reference,
                       const std::vector<const std::byte *> &outputs);

// Reads reference.json. Errors begin with its path.
Result<Reference> read_reference(const std::string &folder);

// Returns the output of that name; an error if the file does not have the size that the argument
// says.
Result<std::vector<std::byte>> read_expected_output(const std::string &folder,
                                                    const FilterArgument &argument);

}  // namespace autoschedule_gpu
