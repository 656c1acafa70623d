// Bars from a common zero on a linear scale, as HTML: they are as wide as the page allows, and
// their texts wrap.
#pragma once

#include <string>
#include <vector>

namespace autoschedule_gpu {

struct HtmlBar {
    std::string label = {};  // markup
    double value = 0;        // not negative
    std::string text = {};   // the value, beside the bar
    bool strong = false;     // the one that counts
};

// The longest bar has the whole width. Empty without bars.
std::string html_bars(const std::vector<HtmlBar> &bars);

}  // namespace autoschedule_gpu
