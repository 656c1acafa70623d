// Draws that became no sample, and why: a file of JSON lines beside the samples.
//
//     {"pipeline": "random:17", "schedule": "size=small seed=5", "kind": "crash",
//      "reason": "the run was ended by signal 11", "command": "...",
//      "code_hash": "0123456789abcdef"}
//
// "kind" is one of failure.h's, or "duplicate": code that was tried before. "command" may be
// missing, and so is "code_hash" where nothing was compiled.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/error.h"
#include "lab/build/failure.h"

namespace autoschedule_gpu {

struct FailedDraw {
    std::string pipeline = {};
    std::string schedule = {};
    std::optional<FailureKind> kind = {};  // nothing: a duplicate
    std::string reason = {};
    std::string command = {};
    uint64_t code_hash = 0;  // 0: unknown

    friend bool operator==(const FailedDraw &, const FailedDraw &) = default;
};

std::string to_json(const FailedDraw &draw);  // one line, without its end
Result<FailedDraw> parse_failed_draw(std::string_view json);

// No draws if there is no file. A last line without its end, as a writer that was killed leaves
// it, is taken out of the file. Other errors name the line.
Result<std::vector<FailedDraw>> read_failed_draws(const std::string &path);

// Adds one line to the file, which is made if need be.
Status append_failed_draw(const std::string &path, const FailedDraw &draw);

}  // namespace autoschedule_gpu
