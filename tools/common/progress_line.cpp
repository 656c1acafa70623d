#include "common/progress_line.h"

#include <unistd.h>

#include <cstdio>

namespace autoschedule_gpu {
namespace {

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
                        std::optional<double> left_s) {
    const double elapsed_s = watch_.seconds();
    std::string line = std::to_string(done) + "/" + std::to_string(total) + ", " +
                       duration_text(elapsed_s) + " so far";
    if (!left_s && done > 0) left_s = elapsed_s * (total - done) / done;
    if (left_s) line += ", about " + duration_text(*left_s) + " left";
    line += ": " + doing;
    if (terminal_) {
        std::fprintf(stderr, "\r\033[K%.110s", line.c_str());
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
