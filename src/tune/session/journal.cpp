#include "tune/session/journal.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/support/file.h"
#include "core/support/hex.h"
#include "core/support/split_list.h"

namespace autoschedule_gpu {

Result<Journal> Journal::read(const std::string &path) {
    const Result<std::string> text = read_file(path);
    if (!text) return text.error();
    Journal journal(path);
    for (const std::string &line : split_list(*text, '\n')) {
        Event event = parse_loosely(line);
        if (!event.is_object() || !event.contains("event")) {
            return Error{path + ", line " + std::to_string(journal.events_.size() + 1) +
                         ": expected an event as JSON"};
        }
        journal.add(std::move(event));
    }
    return journal;
}

void Journal::add(Event event) {
    std::ranges::move(announced_, std::back_inserter(events_));
    announced_.clear();
    events_.push_back(std::move(event));
}

Status Journal::save() const {
    if (path_.empty()) return Ok{};
    std::string text;
    for (const Event &event : events_) {
        text += event.dump(-1, ' ', false, Event::error_handler_t::replace) + "\n";
    }
    return write_file(path_, text);
}

Journal::Event trial_event(size_t number, const std::string &schedule, const Trial &trial,
                           std::string_view outcome, std::optional<double> best_ms) {
    const auto number_or_null = [](const std::optional<double> &value) {
        return value ? Journal::Event(*value) : Journal::Event();
    };
    Journal::Event event = {
        {"event", "trial"},     {"number", number},
        {"schedule", schedule}, {"code_hash", to_hex(trial.code_hash)},
        {"outcome", outcome},   {"predicted_ms", number_or_null(trial.predicted_ms)}};
    event["median_ms"] = trial.is_measured() ? Journal::Event(trial.median_ms()) : Journal::Event();
    event["best_ms"] = number_or_null(best_ms);
    if (trial.failure) event["failure"] = to_string(trial.failure->kind);
    return event;
}

}  // namespace autoschedule_gpu
