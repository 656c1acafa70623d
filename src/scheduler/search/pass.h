// One pass of the beam search: every step of the space once (Anderson 2021 §4).
//
//     beam ─► list the moves of every state ─► buckets, draws ─► apply ─► costs ─► the best go on
//
#pragma once

#include <optional>
#include <vector>

#include "core/support/random.h"
#include "scheduler/search/search_parts.h"

namespace autoschedule_gpu {

// Which options of a step a pass looks at: all of them, all where they are few, or those drawn.
// Only drawing knows structures, and puts states of the same one back in the queue.
enum class Coverage : uint8_t { at_all, at_all_if_few, at_drawn };

class Pass {
public:
    // `depth`: of the structures that are told apart, from 1.
    Pass(SearchParts &parts, int depth, Coverage look);

    // States after the last step, best first; fewer steps were made if the time was up.
    struct Outcome {
        std::vector<State> states;
        size_t steps = 0;
        bool complete = false;
    };
    Outcome run() { return run(parts_.space.initial(), 0); }
    // From a state of which the steps before `first` are decided.
    Outcome run(State start, size_t first);

private:
    // The structure of a state at the depths of this pass and the next, and without tilings.
    struct Structures {
        uint64_t now = 0, deeper = 0, places = 0;
    };
    struct Entry {
        State state;
        Structures structures;
        StructureBook::Entry line = StructureBook::kStart;
    };
    // All moves of the states in the beam, and those of them that are left after dropout, by their
    // places.
    struct Options {
        struct Place {
            uint32_t parent, move;
        };
        std::vector<std::vector<Decision>> moves;       // by parent
        std::vector<std::optional<Successor>> decided;  // by parent, of its only move
        std::vector<Place> places;

        const Decision &move(Place place) const { return moves[place.parent][place.move]; }
    };
    struct Candidate {
        uint32_t parent;
        Successor successor;
        std::vector<double> costs;
        double cost = 0;
        Structures structures;
        size_t order = 0;  // of enumeration: ties keep it, so that the result is reproducible
    };

    struct Chosen {
        const Candidate *candidate;
        StructureBook::Entry line;
    };

    // Takes the states of the beam over, unless nothing comes of any.
    std::vector<Entry> advance(std::vector<Entry> &beam, size_t step);
    void list(const std::vector<Entry> &beam, size_t step, Options &options);
    std::optional<Successor> list_decisions(const State &state, const Step &step, uint32_t slot,
                                            std::vector<Decision> &moves,
                                            RuleCounts &rejected) const;
    Structures structures_after(const Entry &parent, const Successor &successor) const;
    uint64_t structure_met(const Entry &parent, const Decision &move) const;
    std::vector<uint64_t> bucket_keys(const std::vector<Entry> &beam, const Options &options) const;
    bool dropped(const Decision &move, Random &random) const;
    std::vector<Candidate> apply(const std::vector<Entry> &beam, const Options &options,
                                 size_t step);
    void score(const std::vector<Entry> &beam, std::vector<Candidate> &candidates);
    std::vector<Entry> select(std::vector<Entry> &beam, const std::vector<Candidate> &candidates,
                              size_t step);
    std::vector<Entry> make(std::vector<Entry> &beam, const std::vector<Chosen> &chosen) const;
    size_t beam_size_after(size_t step) const;
    void record(const RuleCounts &rejected);

    SearchParts &parts_;
    const int depth_, deeper_, places_;
    const Coverage look_;
    const Random random_;
    size_t free_steps_ = 0;  // steps up to the last that is not decided
    Options options_;  // of the step at hand; kept, for its memory is needed again at the next
};

}  // namespace autoschedule_gpu
