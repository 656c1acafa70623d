// Weights in place of others: worse ones never take the place of better ones by accident.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/support/error.h"
#include "learn/train/report_card.h"
#include "scheduler/model/weights_file.h"

namespace autoschedule_gpu {

enum class Replace : uint8_t { unless_better, always };

// The weights at `path`, to be compared with new ones; none if there is no file. An error if it
// can't be compared, being no weights of today or of a device other than `device`; with
// Replace::always none instead.
Result<std::optional<Weights>> weights_in_place(const std::string &path, const std::string &device,
                                                Replace replace);

// Writes `weights` to `path` unless the card's comparison says that those in place are better, and
// adds to the card what became of them. Returns whether it wrote; an error if it could not.
Result<bool> put_in_place(const std::string &path, const Weights &weights, Replace replace,
                          ReportCard &card);

}  // namespace autoschedule_gpu
