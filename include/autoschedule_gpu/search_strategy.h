// How schedules are searched for: a strategy walks from a start, where nothing is decided, to
// complete states, and returns the best that it has met.
//
//     state ─► choices ─► take one ─► state, or the rule that rejects it ─► ... ─► no more choices
//                                       └─► cost
//
// States never change and are shared; a strategy may keep as many as it likes and go on from any.
// The problem is asked by one thread at a time. Equal seeds must give equal results.
//
// A library registers strategies (register.h); the user chooses one by
// `autoscheduler.strategy=NAME`. What it returns is completed plainly if it is not complete, and
// lowered by Halide on a copy; should Halide refuse it, the plain schedule follows. A strategy must
// not throw. Needs C++17 and the standard library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "autoschedule_gpu/options.h"

namespace autoschedule_gpu::api {

// A schedule that is decided in part or as a whole. What it is made of is the autoscheduler's.
struct SearchState;
using SearchStatePtr = std::shared_ptr<const SearchState>;

// One of the decisions that a state leaves open next.
struct Choice {
    std::string text;   // for people and for comparing: "blur_y: root"
    size_t number = 0;  // in the list of the state's choices
};

struct Rejection {
    std::string rule;  // its name
};

class SearchProblem {
public:
    virtual ~SearchProblem() = default;

    // What may be decided next, in a fixed order; empty if the state is complete.
    virtual std::vector<Choice> choices(const SearchStatePtr &state) const = 0;

    // The state after a choice of choices(state), or the rule that does not allow it. There is
    // always a choice that no rule rejects.
    virtual std::variant<SearchStatePtr, Rejection> take(const SearchStatePtr &state,
                                                         const Choice &choice) const = 0;

    // Nanoseconds that the cost model predicts. Of a state that is not complete: with all that is
    // not decided read from global memory.
    virtual double cost(const SearchStatePtr &state) const = 0;
};

struct SearchLimits {
    const Options &options;            // of the user: seed, beam_size and so on
    std::function<bool()> time_is_up;  // then the strategy should return what it has
};

class SearchStrategy {
public:
    virtual ~SearchStrategy() = default;

    virtual std::string_view name() const = 0;

    // The best state that was found; `start` where none was.
    virtual SearchStatePtr search(const SearchProblem &problem, const SearchStatePtr &start,
                                  const SearchLimits &limits) const = 0;
};

}  // namespace autoschedule_gpu::api
