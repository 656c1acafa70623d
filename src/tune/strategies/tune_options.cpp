#include "tune/strategies/tune_options.h"

#include <algorithm>
#include <string>

namespace autoschedule_gpu {

Result<TuneMode> parse_tune_mode(std::string_view text) {
    const auto found = std::find(kTuneModeNames.begin(), kTuneModeNames.end(), text);
    if (found != kTuneModeNames.end()) return static_cast<TuneMode>(found - kTuneModeNames.begin());
    return Error{"expected one-shot, top5 or autotune, found '" + std::string(text) + "'"};
}

Result<DescentOrigin> parse_descent_origin(std::string_view text) {
    const auto found = std::find(kDescentOriginNames.begin(), kDescentOriginNames.end(), text);
    if (found != kDescentOriginNames.end())
        return static_cast<DescentOrigin>(found - kDescentOriginNames.begin());
    return Error{"expected best, default or plain, found '" + std::string(text) + "'"};
}

}  // namespace autoschedule_gpu
