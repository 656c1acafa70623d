// Helpers for building tables.
#pragma once

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "present/table.h"

namespace autoschedule_gpu {

inline std::string number_text(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

inline TableColumn words(std::string title) {
    return {.title = std::move(title)};
}

inline TableColumn numbers(std::string title, std::string unit = {}) {
    return {.title = std::move(title), .unit = std::move(unit), .of_numbers = true};
}

inline TableLine line(const std::vector<std::string> &texts) {
    TableLine result;
    for (const std::string &text : texts) result.cells.push_back({.text = text});
    return result;
}

}  // namespace autoschedule_gpu
