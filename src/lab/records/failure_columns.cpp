#include "lab/records/failure_columns.h"

#include <utility>

namespace autoschedule_gpu {

std::array<SqlValue, 4> failure_values(const Failure *failure) {
    if (!failure) return {};
    return {to_string(failure->kind), failure->reason, failure->command, failure->output};
}

Result<std::optional<Failure>> next_failure(Statement &row) {
    const std::optional<std::string> name = row.next_text_if_any();
    Failure failure{
        .reason = row.next_text(), .command = row.next_text(), .output = row.next_text()};
    if (!name) return std::optional<Failure>();
    const std::optional<FailureKind> kind = find_failure_kind(*name);
    if (!kind) return Error{"expected a kind of failure, found '" + *name + "'"};
    failure.kind = *kind;
    return std::optional<Failure>(std::move(failure));
}

}  // namespace autoschedule_gpu
