// The draws that became no sample, and why: a file of JSON lines beside the samples of the
// device.
//
//     {"pipeline": "random:17", "schedule": "size=small seed=5", "kind": "crash",
//      "reason": "the run was ended by signal 11", "command": "...",
//      "code_hash": "0123456789abcdef"}
//
// "kind" is one of failure.h's, or "duplicate" for code that was tried before. "command" may be
// missing, and so may "code_hash" if nothing was compiled.
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
    std::optional<FailureKind> kind = {};  // none: a duplicate
    std::string reason = {};
    std::string command = {};
    uint64_t code_hash = 0;  // 0: unknown

    friend bool operator==(const FailedDraw &, const FailedDraw &) = default;
};

std::string to_json(const FailedDraw &draw);  // one line, without the newline
// Parses one line; the error says what is missing or of another kind.
Result<FailedDraw> parse_failed_draw(std::string_view json);

// Reads the draws; there are none if there is no file. A last line without its newline, as a writer
// that was killed leaves it, is removed from the file. Other errors name the line.
Result<std::vector<FailedDraw>> read_failed_draws(const std::string &path);

// Appends one line to the file, which is created if necessary.
Status append_failed_draw(const std::string &path, const FailedDraw &draw);

}  // namespace autoschedule_gpu
