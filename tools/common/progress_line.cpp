#include "common/progress_line.h"

#include <unistd.h>

#include <cstdio>

#include "common/terminal_width.h"

namespace autoschedule_gpu {
namespace {

constexpr size_t kUsualWidth = 80;

std::string duration_text(double seconds) {
    char text[32];
    if (seconds < 100) {
        std::snprintf(text, sizeof text, "%.0f s", seconds);
    } else if (seconds < 6000) {
        std::snprintf(text, sizeof text, "%.0f min", seconds / 60);
    } else {
        std::snprintf(text, sizeof text, "%.1f h", seconds / 3600);
    }
    return text;
}

}  // namespace

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO)) {}

void ProgressLine::show(int done, int total, const std::string &doing,
                        std::optional<TimeLeft> left) {
    const double elapsed_s = watch_.seconds();
    std::string line = std::to_string(done) + "/" + std::to_string(total) + ", " +
                       duration_text(elapsed_s) + " so far";
    if (!left && done > 0) left = TimeLeft{.seconds = elapsed_s * (total - done) / done};
    if (left) {
        line +=
            (left->is_least ? ", at least " : ", about ") + duration_text(left->seconds) + " left";
    }
    line += ": " + doing;
    if (left && !left->of_what.empty()) line += "; left: " + left->of_what;
    if (terminal_) {
        // One character less: the cursor would go on to the next line.
        const size_t width = terminal_width(STDERR_FILENO).value_or(kUsualWidth) - 1;
        std::fprintf(stderr, "\r\033[K%s", line.substr(0, width).c_str());
        shown_ = true;
    } else {
        std::fprintf(stderr, "%s\n", line.c_str());
    }
    std::fflush(stderr);
}

void ProgressLine::say(const std::string &text) {
    clear();
    std::fprintf(stderr, "%s\n", text.c_str());
    std::fflush(stderr);
}

void ProgressLine::clear() {
    if (shown_) std::fprintf(stderr, "\r\033[K");
    shown_ = false;
}

}  // namespace autoschedule_gpu
