// Puts new weights in place of others; worse ones never replace better ones by accident.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/support/error.h"
#include "learn/train/report_card.h"
#include "scheduler/model/weights_file.h"

namespace autoschedule_gpu {

enum class Replace : uint8_t { unless_better, always };

// Returns the weights at `path`, for comparison with new ones; nullopt if there is no file. If the
// file cannot be compared, because it holds no weights of this version or those of a device other
// than `device`, returns an error, or nullopt with Replace::always.
Result<std::optional<Weights>> weights_in_place(const std::string &path, const std::string &device,
                                                Replace replace);

// Writes `weights` to `path`, unless the card's comparison says that those in place are better, and
// adds the decision to the card. Returns true if it wrote, and an error if it could not, which the
// card's decision says, too.
Result<bool> put_in_place(const std::string &path, const Weights &weights, Replace replace,
                          ReportCard &card);

}  // namespace autoschedule_gpu
