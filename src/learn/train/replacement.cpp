#include "learn/train/replacement.h"

#include <cstdio>
#include <utility>

#include "core/support/file.h"

namespace autoschedule_gpu {

namespace {

std::string accuracy_text(const PairCount &pairs) {
    char text[16];
    std::snprintf(text, sizeof text, "%.4f", pairs.accuracy().value_or(0));
    return text;
}

}  // namespace

Result<std::optional<Weights>> weights_in_place(const std::string &path, const std::string &device,
                                                Replace replace) {
    // Of a device or a pipe there may be no end to read.
    if (!is_regular_file(path)) return std::optional<Weights>{};
    Result<Weights> weights = read_weights(path);
    if (weights && weights->origin.device == device) {
        return std::optional(std::move(weights).value());
    }
    if (replace == Replace::always) return std::optional<Weights>{};
    const std::string problem = weights ? path + ": expected weights of the device \"" + device +
                                              "\", to compare new ones with, found those of \"" +
                                              weights->origin.device + "\""
                                        : weights.error().message;
    return Error{problem + "; --force replaces the file"};
}

Result<bool> put_in_place(const std::string &path, const Weights &weights, Replace replace,
                          ReportCard &card) {
    if (!card.comparison) {
        card.decision = "written";
    } else if (card.comparison->now.pairs == 0) {
        if (replace == Replace::unless_better) {
            card.decision =
                "kept as it is: there is no pipeline on which both can be judged; --force replaces "
                "it";
            return false;
        }
        card.decision = "replaced by --force: there is no pipeline on which both can be judged";
    } else {
        const std::string now = "held-out accuracy " + accuracy_text(card.comparison->now);
        const std::string then = accuracy_text(card.comparison->earlier);
        if (!card.comparison->worse_now()) {
            card.decision = "replaced: " + now + ", and " + then + " before";
        } else if (replace == Replace::always) {
            card.decision = "replaced by --force: " + now + ", less than " + then + " before";
        } else {
            card.decision = "kept as it is: " + now + " of the new weights, less than the " + then +
                            " of those in place; --force replaces them";
            return false;
        }
    }
    const Status written = write_weights(path, weights);
    if (!written) {
        card.decision = "not written: " + written.error().message;
        return written.error();
    }
    return true;
}

}  // namespace autoschedule_gpu
