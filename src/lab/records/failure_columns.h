// Stores a failure as four columns of a table: failure_kind, _reason, _command, _output. All are
// NULL if there is no failure.
#pragma once

#include <array>
#include <optional>

#include "core/support/error.h"
#include "lab/build/failure.h"
#include "lab/records/statement.h"

namespace autoschedule_gpu {

// Returns the values in the order of the columns; they refer to `failure`, which must outlive them.
std::array<SqlValue, 4> failure_values(const Failure *failure);

// Reads the next four columns. Returns an error if the kind does not exist.
Result<std::optional<Failure>> next_failure(Statement &row);

}  // namespace autoschedule_gpu
