// Translates Halide's exceptions into text. An internal error of the compiler is marked as such, so
// that it is not mistaken for a bad schedule.
#pragma once

#include <Halide.h>

#include <optional>
#include <string>

namespace autoschedule_gpu {

// Returns the text without white space at its end.
inline std::string trimmed(std::string text) {
    const size_t last = text.find_last_not_of(" \n\t");
    text.resize(last == std::string::npos ? 0 : last + 1);
    return text;
}

// Runs `body`. Returns nullopt if it came through, else Halide's text.
template <typename Body>
std::optional<std::string> halide_error(const Body &body) {
    try {
        body();
        return std::nullopt;
    } catch (const Halide::InternalError &error) {
        return "Halide's compiler failed with an internal error: " + trimmed(error.what());
    } catch (const Halide::Error &error) {
        return "Halide refuses it: " + trimmed(error.what());
    }
}

}  // namespace autoschedule_gpu
