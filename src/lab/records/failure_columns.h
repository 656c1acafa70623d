// A failure as four columns of a table: failure_kind, _reason, _command, _output; all NULL if there
// is none.
#pragma once

#include <array>
#include <optional>

#include "core/support/error.h"
#include "lab/build/failure.h"
#include "lab/records/statement.h"

namespace autoschedule_gpu {

// In the order of the columns. They refer to the failure.
std::array<SqlValue, 4> failure_values(const Failure *failure);

// The next four columns. An error if there is no such kind.
Result<std::optional<Failure>> next_failure(Statement &row);

}  // namespace autoschedule_gpu
