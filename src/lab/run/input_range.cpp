#include "lab/run/input_range.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "lab/run/exact_text.h"

namespace autoschedule_gpu {

namespace {

constexpr std::string_view kWhole = "whole";
constexpr std::string_view kClampBelow = "clamp_below=";

std::optional<double> number_of(std::string_view text) {
    double value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// Takes the part before the next ':' off the text.
std::string_view take_part(std::string_view &text) {
    const size_t end = std::min(text.find(':'), text.size());
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return part;
}

// Nothing where the text is of another form.
std::optional<InputRange> range_of(std::string_view text) {
    if (text.ends_with(':')) return std::nullopt;
    const std::optional<double> least = number_of(take_part(text));
    const std::optional<double> greatest = number_of(take_part(text));
    if (!least || !greatest) return std::nullopt;
    InputRange range{.least = *least, .greatest = *greatest};
    while (!text.empty()) {
        const std::string_view part = take_part(text);
        if (part == kWhole && !range.whole) {
            range.whole = true;
        } else if (part.starts_with(kClampBelow) && !range.clamp_below) {
            range.clamp_below = number_of(part.substr(kClampBelow.size()));
            if (!range.clamp_below) return std::nullopt;
        } else {
            return std::nullopt;
        }
    }
    return range;
}

std::string text_of(const InputRange &range) {
    std::string text = exact_text(range.least) + ":" + exact_text(range.greatest);
    if (range.whole) text += ":" + std::string(kWhole);
    if (range.clamp_below) {
        text += ":" + std::string(kClampBelow) + exact_text(*range.clamp_below);
    }
    return text;
}

}  // namespace

std::vector<std::string> to_texts(const InputRanges &inputs) {
    std::vector<std::string> texts;
    for (const auto &[name, range] : inputs) texts.push_back(name + "=" + text_of(range));
    return texts;
}

Result<InputRanges> parse_input_ranges(const std::vector<std::string> &texts) {
    InputRanges inputs;
    for (const std::string &text : texts) {
        const size_t equals = std::min(text.find('='), text.size());
        const std::string name = text.substr(0, equals);
        const std::optional<InputRange> range =
            range_of(std::string_view(text).substr(std::min(equals + 1, text.size())));
        if (name.empty() || !range) {
            return Error{
                "expected NAME=LEAST:GREATEST, :whole or :clamp_below=NUMBER after it, "
                "found '" +
                text + "'"};
        }
        if (const std::string fault = fault_of(*range); !fault.empty()) {
            return Error{"expected " + fault + ", found '" + text + "'"};
        }
        if (!inputs.emplace(name, *range).second) {
            return Error{"expected each input once, found '" + name + "' again"};
        }
    }
    return inputs;
}

}  // namespace autoschedule_gpu
