// Measured descent along the decisions of a schedule (the Droplet search: Canesche et al. 2024,
// sections 3.1 to 3.4).
//
//     incumbent ─► neighbours not visited ─► a part of them, compiled in parallel and run
//         ▲                                             │ the fastest seems faster
//         └──────── significantly faster ◄──────── both in turn: compare_pair.h
//
// The paper measures the whole neighbourhood before each step. Pipelines have hundreds of
// neighbours and most steps are small, so a step is taken as soon as a part of them holds a better
// one; the descent ends as the paper's does, when no neighbour is faster. Which part is next: first
// what goes on in the direction of the last step (the paper's speculation), then the decisions
// after the one that was changed last, in turn.
#include <algorithm>
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
    explicit Descent(Session &session) : session_(session) {}

    // Returns the index of the trial at which it ended, or nothing if no trial has a list.
    Result<std::optional<size_t>> run() {
        const std::optional<size_t> start =
            session_.best([](const Trial &trial) { return !trial.decisions.empty(); });
        const Status done =
            start ? go_on_from(*start) : end("no measured schedule has a list of decisions");
        if (!done) return done.error();
        return start ? std::optional(incumbent_) : std::nullopt;
    }

private:
    Status go_on_from(size_t start) {
        incumbent_ = start;
        incumbent_ms_ = trial(start).median_ms();
        session_.parts().journal.add(
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
        return open;
    }

    // False: there is nowhere to go, or no time to.
    Result<bool> take_step() {
        const Result<std::vector<Neighbour>> open = open_neighbours();
        if (!open) return open.error();
        session_.expect_trials(session_.trials_left(static_cast<int>(open->size())));
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
        std::optional<size_t> fastest;  // in the part
        for (size_t i = 0; i < batch->size(); ++i) {
            const Trial &other = trial((*batch)[i]);
            if (!other.is_measured() || other.decisions.empty()) continue;
            if (!fastest || other.median_ms() < trial((*batch)[*fastest]).median_ms()) fastest = i;
        }
        if (!fastest || (*batch)[*fastest] == incumbent_) return false;
        if (trial((*batch)[*fastest]).median_ms() >= incumbent_ms_) return false;
        return challenge(part[*fastest], (*batch)[*fastest]);
    }

    Result<bool> challenge(const Neighbour &step, size_t challenger) {
        session_.tell("comparing " + step.what + " " + step.from + " and " + step.to);
        const Result<Duel> duel = compare_pair(session_, challenger, incumbent_, {});
        if (!duel) return duel.error();
        session_.parts().journal.add({{"event", "step"},
                                      {"decision", step.what},
                                      {"from", step.from},
                                      {"to", step.to},
                                      {"chance_of_luck", duel->chance_of_luck},
                                      {"accepted", duel->is_won}});
        if (duel->is_won) {
            incumbent_ = challenger;
            incumbent_ms_ = duel->challenger_ms;
            last_ = step;
        } else if (duel->incumbent_ms > 0) {
            incumbent_ms_ = duel->incumbent_ms;
        }
        return duel->is_won;
    }

    Session &session_;
    size_t incumbent_ = 0;
    double incumbent_ms_ = 0;        // of its last duel; what was measured first was lucky
    std::set<std::string> visited_;  // names of draws
    std::optional<Neighbour> last_;  // step that was taken
};

class CoordinateDescent final : public TuneStrategy {
public:
    std::string_view name() const override { return "coordinate_descent"; }
    StartsFrom starts_from() const override { return StartsFrom::best_known; }

    Result<std::vector<size_t>> run(Session &session) const override {
        const Result<std::optional<size_t>> bottom = Descent(session).run();
        if (!bottom) return bottom.error();
        if (!*bottom) return std::vector<size_t>();
        return std::vector<size_t>{**bottom};
    }
};

}  // namespace

std::shared_ptr<const TuneStrategy> make_coordinate_descent(const TuneOptions &) {
    return std::make_shared<CoordinateDescent>();
}

}  // namespace autoschedule_gpu
