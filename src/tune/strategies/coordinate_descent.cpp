// Measured descent along the decisions of a schedule (the Droplet search: Canesche et al. 2024,
// sections 3.1 to 3.4).
//
//     incumbent ─► neighbours not visited ─► a part of them, compiled in parallel and run
//         ▲                                             │ those that seem faster, the fastest first
//         └──────── significantly faster ◄──────── each beside the incumbent: compare_pair.h
//
// The paper measures the whole neighbourhood before each step. Pipelines have hundreds of
// neighbours and most steps are small, so a step is taken as soon as a part of them holds a better
// one; the descent ends as the paper's does, when no neighbour is faster. So a part is given up
// only when all have lost that seem faster: the first of them may have been measured in a lucky
// moment. Which part is next: first what goes on in the direction of the last step, then the
// decisions after the one that was changed last, in turn.
//
// Where the last part has fewer neighbours than are compiled together, it is filled up by
// speculation (section 3.4): neighbours of the schedule that is a choice further in the direction
// of the last step. They take compilers that would have nothing to do while the device is busy, and
// a step may lead to one of them.
#include <algorithm>
#include <bit>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tune/strategies/compare_pair.h"
#include "tune/strategies/neighbours.h"
#include "tune/strategies/shipped.h"

namespace autoschedule_gpu {
namespace {

constexpr size_t kPart = 8;  // neighbours that are compiled together
constexpr int kMostSteps = 1000;

// One descent in a session.
class Descent {
public:
    Descent(Session &session, double level) : session_(session), level_(level) {}

    // Returns the index of the trial at which it ended, or nothing if no trial has a list.
    Result<std::optional<size_t>> run(DescentOrigin origin) {
        const Result<std::optional<size_t>> begun = start_at(origin);
        if (!begun) return begun.error();
        const std::optional<size_t> start = *begun;
        const Status done = start ? go_on_from(*start) : end(kNoList);
        if (!done) return done.error();
        return start ? std::optional(incumbent_) : std::nullopt;
    }

private:
    static bool has_list(const Trial &trial) {
        return trial.is_measured() && !trial.decisions.empty();
    }

    // The trial there, if it has a list.
    Result<std::optional<size_t>> start_at(DescentOrigin origin) {
        if (origin == DescentOrigin::best) return session_.best(has_list);
        size_t there = 0;  // the default schedule is the first that a run tries
        if (origin == DescentOrigin::plain) {
            const ScheduleRequest requests[] = {
                {.schedule = "strategy=plain", .scheduler_params = {{"strategy", "plain"}}}};
            const Result<std::vector<size_t>> batch = session_.attempt(requests);
            if (!batch) return batch.error();
            if (Status closed = session_.close(*batch); !closed) return closed.error();
            if (batch->empty()) return std::optional<size_t>();
            there = batch->front();
        }
        const bool is_usable = there < session_.trials().size() && has_list(trial(there));
        return is_usable ? std::optional(there) : std::nullopt;
    }

    Status go_on_from(size_t start) {
        incumbent_ = start;
        incumbent_ms_ = trial(start).median_ms();
        session_.parts().journal.announce(
            {{"event", "descent"}, {"schedule", trial(incumbent_).draw.schedule}});
        for (int step = 0; step < kMostSteps; ++step) {
            Result<bool> stepped = take_step();
            if (!stepped) return stepped.error();
            if (!*stepped)
                return end(session_.is_over() ? "the run is over" : "no neighbour is faster");
        }
        return end("as many steps as are allowed");
    }

    const Trial &trial(size_t index) const { return session_.trials()[index]; }

    Status end(const std::string &why) {
        if (session_.is_over()) session_.parts().journal.drop_announced();
        session_.parts().journal.add({{"event", "descent ended"}, {"why", why}});
        return session_.parts().journal.save();
    }

    // Returns the neighbours that were not visited, the most promising first.
    Result<std::vector<Neighbour>> open_neighbours() const {
        Result<std::vector<Neighbour>> all = neighbours_of(trial(incumbent_).decisions);
        if (!all) return all;
        std::vector<Neighbour> open = std::move(all).value();
        std::erase_if(open, [&](const Neighbour &n) {
            return visited_.contains(request_of_decisions(n.decisions).schedule);
        });
        const size_t next = last_ ? last_->decision + 1 : 0;
        const auto rank = [&](const Neighbour &n) {
            const bool goes_on =
                last_ && n.decision == last_->decision && n.direction == last_->direction;
            return std::pair(goes_on ? 0 : n.decision >= next ? 1 : 2, n.decision);
        };
        std::stable_sort(open.begin(), open.end(),
                         [&](const Neighbour &a, const Neighbour &b) { return rank(a) < rank(b); });
        for (Neighbour &other : speculation(open)) open.push_back(std::move(other));
        return open;
    }

    // As many as fill up the last part of those.
    std::vector<Neighbour> speculation(const std::vector<Neighbour> &open) const {
        std::vector<Neighbour> speculative;
        const size_t wanted = (kPart - open.size() % kPart) % kPart;
        if (!last_ || open.empty()) return speculative;
        const auto further = beyond(trial(incumbent_).decisions, *last_);
        if (!further) return speculative;
        std::set<std::string> known = visited_;
        for (const Neighbour &one : open) {
            known.insert(request_of_decisions(one.decisions).schedule);
        }
        const Result<std::vector<Neighbour>> around = neighbours_of(*further);
        for (size_t i = 0; around && i < around->size() && speculative.size() < wanted; ++i) {
            Neighbour one = (*around)[i];
            if (!known.insert(request_of_decisions(one.decisions).schedule).second) continue;
            one.is_speculative = true;
            speculative.push_back(std::move(one));
        }
        return speculative;
    }

    // False: there is nowhere to go, or no time to.
    Result<bool> take_step() {
        const Result<std::vector<Neighbour>> open = open_neighbours();
        if (!open) return open.error();
        const int left = session_.trials_left(static_cast<int>(open->size()));
        session_.expect_trials(left, left);
        for (size_t first = 0; first < open->size() && !session_.is_over();) {
            const size_t count =
                std::min(open->size() - first,
                         static_cast<size_t>(session_.trials_left(static_cast<int>(kPart))));
            Result<bool> better = try_part(std::span(*open).subspan(first, count));
            if (!better || *better) return better;
            first += count;
        }
        return false;
    }

    Result<bool> try_part(std::span<const Neighbour> part) {
        std::vector<ScheduleRequest> draws;
        for (const Neighbour &neighbour : part) {
            draws.push_back(request_of_decisions(neighbour.decisions));
            visited_.insert(draws.back().schedule);
        }
        const Result<std::vector<size_t>> batch = session_.attempt(draws);
        if (!batch) return batch.error();
        if (Status closed = session_.close(*batch); !closed) return closed.error();
        return challenge_by_fastest(part, *batch);
    }

    // Those that seem faster challenge the incumbent, the fastest first, until one wins. All duels
    // of a part are made, whatever the clock says: a replay has none, and would make others.
    Result<bool> challenge_by_fastest(std::span<const Neighbour> part,
                                      const std::vector<size_t> &batch) {
        for (const size_t i : fastest_first(batch)) {
            // The incumbent's time is that of its last duel.
            if (trial(batch[i]).median_ms() >= incumbent_ms_) continue;
            // Of several neighbours with the same code, one is enough.
            if (!challengers_.insert(batch[i]).second) continue;
            Result<bool> won = challenge(part[i], batch[i]);
            if (!won || *won) return won;
        }
        return false;
    }

    // The places of those in a batch that may become the incumbent.
    std::vector<size_t> fastest_first(const std::vector<size_t> &batch) const {
        std::vector<size_t> places;
        for (size_t i = 0; i < batch.size(); ++i) {
            // Some decisions lead to the incumbent's own code.
            if (batch[i] != incumbent_ && has_list(trial(batch[i]))) places.push_back(i);
        }
        std::ranges::stable_sort(places, {}, [&](size_t i) { return trial(batch[i]).median_ms(); });
        return places;
    }

    Result<bool> challenge(const Neighbour &step, size_t challenger) {
        session_.tell("comparing " + step.what + " " + step.from + " and " + step.to);
        const auto held = compare_pair(session_, challenger, incumbent_, {.level = level_});
        if (!held) return held.error();
        if (!*held) return false;
        const Duel &duel = **held;
        session_.parts().journal.add({{"event", "step"},
                                      {"decision", step.what},
                                      {"from", step.from},
                                      {"to", step.to},
                                      {"speculative", step.is_speculative},
                                      {"chance_of_luck", duel.chance_of_luck},
                                      {"accepted", duel.is_won}});
        if (duel.is_won) {
            incumbent_ = challenger;
            incumbent_ms_ = duel.challenger_ms;
            last_ = step;
            challengers_.clear();
        } else if (duel.incumbent_ms > 0) {
            incumbent_ms_ = duel.incumbent_ms;
        }
        return duel.is_won;
    }

    static constexpr const char *kNoList = "no measured schedule has a list of decisions";

    Session &session_;
    double level_;  // of significance
    size_t incumbent_ = 0;
    double incumbent_ms_ = 0;        // of its last duel; what was measured first was lucky
    std::set<size_t> challengers_;   // that the incumbent was compared with
    std::set<std::string> visited_;  // names of draws
    std::optional<Neighbour> last_;  // step that was taken
};

class CoordinateDescent final : public TuneStrategy {
public:
    explicit CoordinateDescent(const TuneOptions &options)
        : confidence_(options.confidence), origin_(options.origin) {}

    std::string_view name() const override { return "coordinate_descent"; }
    StartsFrom starts_from() const override { return StartsFrom::best_known; }

    // It ends where no neighbour is faster: it has looked at as many as the first schedule has.
    int least_trials(const Session &session) const override {
        if (session.trials().empty()) return 0;
        const auto around = neighbours_of(session.trials().front().decisions);
        return around ? static_cast<int>(around->size()) : 0;
    }

    void add_settings_to(Hasher &hasher) const override {
        hasher.add(std::bit_cast<uint64_t>(confidence_)).add(to_string(origin_));
    }

    Result<std::vector<size_t>> run(Session &session) const override {
        const Result<std::optional<size_t>> bottom = Descent(session, 1 - confidence_).run(origin_);
        if (!bottom) return bottom.error();
        if (!*bottom) return std::vector<size_t>();
        return std::vector<size_t>{**bottom};
    }

private:
    double confidence_;
    DescentOrigin origin_;
};

}  // namespace

std::shared_ptr<const TuneStrategy> make_coordinate_descent(const TuneOptions &options) {
    return std::make_shared<CoordinateDescent>(options);
}

}  // namespace autoschedule_gpu
