// One pass of the beam search: every step of the space once (Anderson 2021 §4).
//
//     beam ─► list the moves of every state ─► buckets, draws ─► apply ─► costs ─► the best go on
//
#pragma once

#include <chrono>
#include <vector>

#include "search/freeze.h"
#include "search/kernel_costs.h"
#include "search/search.h"
#include "search/structure_book.h"
#include "support/random.h"

namespace autoschedule_gpu {

// What the passes of one search have in common. All must outlive them.
struct SearchParts {
    const SearchSpace &space;
    const SearchOptions &options;
    ThreadPool &pool;
    KernelCosts &costs;
    StructureBook &book;
    const Frozen &frozen;
    SearchReport &report;
    std::chrono::steady_clock::time_point start;

    double seconds() const;
    bool time_is_up() const { return seconds() > options.limits.time_limit_s; }
};

// Adds the seconds of its life to a phase.
class PhaseTimer {
public:
    explicit PhaseTimer(double &seconds)
        : seconds_(seconds), start_(std::chrono::steady_clock::now()) {}
    ~PhaseTimer() {
        seconds_ +=
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }
    PhaseTimer(const PhaseTimer &) = delete;
    PhaseTimer &operator=(const PhaseTimer &) = delete;

private:
    double &seconds_;
    std::chrono::steady_clock::time_point start_;
};

class Pass {
public:
    // `depth`: of the structures that are told apart, from 1.
    Pass(SearchParts &parts, int depth, bool sampled);

    // States after the last step, best first; fewer steps were made if the time was up.
    struct Outcome {
        std::vector<State> states;
        size_t steps = 0;
        bool complete = false;
    };
    Outcome run();

private:
    struct Entry {
        State state;
        // At the depths of this pass and the next, and without tilings.
        uint64_t structure = 0, deeper = 0, places = 0;
        StructureBook::Entry line = StructureBook::kStart;
    };
    struct Option {
        uint32_t parent;
        Move move;
    };
    struct Candidate {
        uint32_t parent;
        Successor successor;
        std::vector<double> costs;
        double cost = 0;
        uint64_t structure = 0, deeper = 0, places = 0;
        size_t order = 0;  // of enumeration: ties keep it, so that the result is reproducible
    };

    std::vector<Entry> advance(const std::vector<Entry> &beam, size_t step);
    std::vector<Option> list(const std::vector<Entry> &beam, size_t step);
    std::vector<Move> moves_of(const State &state, const Step &step, uint32_t slot,
                               RuleCounts &rejected) const;
    uint64_t structure_met(const Entry &parent, const Move &move) const;
    bool dropped(const Move &move, Random &random) const;
    std::vector<Candidate> apply(const std::vector<Entry> &beam, const std::vector<Option> &options,
                                 size_t step);
    void score(const std::vector<Entry> &beam, std::vector<Candidate> &candidates);
    std::vector<Entry> select(const std::vector<Entry> &beam, std::vector<Candidate> candidates,
                              size_t step);
    void count(const RuleCounts &rejected);

    SearchParts &parts_;
    const int depth_, deeper_, places_;
    const bool sampled_;
    const Random random_;
};

}  // namespace autoschedule_gpu
