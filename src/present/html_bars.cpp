#include "present/html_bars.h"

#include <algorithm>

#include "present/html.h"
#include "present/svg_parts.h"

namespace autoschedule_gpu {

std::string html_bars(const std::vector<HtmlBar> &bars) {
    if (bars.empty()) return "";
    double most = 0;
    for (const HtmlBar &bar : bars) most = std::max(most, bar.value);
    std::string rows;
    for (const HtmlBar &bar : bars) {
        const double share = most > 0 ? bar.value / most : 0;
        const std::string fill = element(
            "span", {{"class", "fill"}, {"style", "width:" + coordinate(100 * share) + "%"}}, "");
        rows += element("div", {{"class", bar.strong ? "bar-row strong" : "bar-row"}},
                        element("span", {{"class", "bar-label"}}, bar.label) +
                            element("span", {{"class", "track"}}, fill) +
                            element("span", {{"class", "bar-text"}}, html_text(bar.text))) +
                "\n";
    }
    return element("div", {{"class", "bars"}}, "\n" + rows) + "\n";
}

}  // namespace autoschedule_gpu
