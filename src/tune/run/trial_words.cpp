#include "tune/run/trial_words.h"

#include <algorithm>
#include <vector>

#include "tune/strategies/listed_decisions.h"

namespace autoschedule_gpu {
namespace {

constexpr size_t kMostSaid = 4;

// The trial of the schedule without tuning, if there is one.
const Trial *untuned(const Session &session) {
    const auto found = std::ranges::find_if(session.trials(), [](const Trial &trial) {
        return trial.draw.schedule == kFoundByDefault;
    });
    return found == session.trials().end() ? nullptr : &*found;
}

// What of the first list is otherwise in the other, which may lack decisions.
std::vector<std::string> differences(const ListedDecisions &list, const ListedDecisions &other) {
    std::vector<std::string> said;
    for (const ListedDecision &decision : list.decisions()) {
        const auto same = std::ranges::find_if(other.decisions(), [&](const ListedDecision &one) {
            return one.name == decision.name && one.kind == decision.kind;
        });
        if (same == other.decisions().end() || same->value() == decision.value()) continue;
        said.push_back(decision.name + " " + decision.kind + " " + decision.value() + ", not " +
                       same->value());
    }
    return said;
}

}  // namespace

std::string trial_name(const Session &session, size_t trial) {
    const std::string &schedule = session.trials()[trial].draw.schedule;
    if (schedule == kFoundByDefault) return "without tuning";
    if (schedule.starts_with("record ")) return "the best of earlier runs";
    if (schedule == "strategy=plain") return "every Func in a kernel of its own";
    for (const Journal::Event &event : session.parts().journal.events()) {
        if (event.at("event") != "trial" || event.at("schedule") != schedule) continue;
        return "trial " + std::to_string(event.at("number").get<int>());
    }
    return schedule;
}

std::string decided_otherwise(const Session &session, const Trial &trial) {
    const Trial *const start = untuned(session);
    if (start == nullptr) return "";
    const Result<ListedDecisions> list = ListedDecisions::parse(trial.decisions);
    const Result<ListedDecisions> other = ListedDecisions::parse(start->decisions);
    if (!list || !other) return "";
    const std::vector<std::string> all = differences(*list, *other);
    std::string text;
    for (size_t i = 0; i < std::min(all.size(), kMostSaid); ++i) {
        text += (text.empty() ? "" : "; ") + all[i];
    }
    if (all.size() > kMostSaid) text += "; " + std::to_string(all.size() - kMostSaid) + " more";
    return text;
}

}  // namespace autoschedule_gpu
