// Draws as rows of the table `draws`. Nothing here begins or ends a transaction.
#pragma once

#include <functional>
#include <optional>

#include "lab/records/database.h"
#include "lab/records/known_draw.h"

namespace autoschedule_gpu {

// False if that draw is known; a provisional failure (is_provisional) gives way to anything else.
// An error if check(draw) has one.
Result<bool> insert_draw(Database &database, const KnownDraw &draw);

Result<std::optional<Outcome<uint64_t>>> find_draw(Database &database, const DrawKey &key);

// Calls `each` with each draw, or with what is wrong with its row, until it fails.
using DrawVisitor = std::function<Status(const Result<KnownDraw> &)>;
Status visit_draws(Database &database, const DrawVisitor &each);

}  // namespace autoschedule_gpu
