// Stores draws as rows of the table `draws`. Nothing here begins or ends a transaction.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string_view>

#include "lab/records/database.h"
#include "lab/records/known_draw.h"
#include "lab/records/record_filter.h"

namespace autoschedule_gpu {

// Returns false if that draw is known already, unless its outcome is provisional (is_provisional)
// and the new one is not. Returns an error if check(draw) does.
Result<bool> insert_draw(Database &database, const KnownDraw &draw);

// Returns the outcome of that draw; nullopt if it is not known, and an error if its row is damaged.
Result<std::optional<Outcome<uint64_t>>> find_draw(Database &database, const DrawKey &key);

// Returns the candidates that draws of that text have led to, in any environment, by any plugin.
Result<std::set<CandidateKey>> codes_drawn_as(Database &database, std::string_view draw);

// Calls `each` with the draws that led to no code, by their keys, until it returns an error. Of the
// filter, the pipeline and the environment count. Returns an error if a row is damaged.
Status visit_failed_draws(Database &database, const RecordFilter &filter,
                          const FailedDrawVisitor &each);

// Calls `each` with each draw, or with what is wrong with its row, until it returns an error.
using DrawVisitor = std::function<Status(const Result<KnownDraw> &)>;
Status visit_draws(Database &database, const DrawVisitor &each);

}  // namespace autoschedule_gpu
