// A way to find schedules of a pipeline. Strategies are values without state: the same object
// serves any number of searches, one after the other or at once.
//
//     registry.h ─► SearchStrategy ─► states, best first ─► composition.h: which of them is taken
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "core/dag/dag.h"
#include "scheduler/model/model_choice.h"
#include "scheduler/search/report.h"
#include "scheduler/search/search_context.h"
#include "scheduler/space/space.h"
#include "scheduler/strategies/ranking_models.h"

namespace autoschedule_gpu {

// What a schedule is searched for: the space has the pipeline, with wrapped reductions
// (scheduler/space/wrappers.h), the device and the rules.
struct SearchProblem {
    const SearchSpace &space;
    const RankingModels &models;  // for that device
    // What a search found for another device: one that starts from it needs less effort. Strategies
    // may ignore it.
    const Nest *start = nullptr;
};

// A complete state, and what it is a state of.
struct CompleteState {
    std::shared_ptr<const Dag> dag;
    State state;
    Freedom freedom = Freedom::full;  // of the space
};

// `quick`: for a schedule in a second, which is no time to compile code for a look at it. `none`:
// nothing is searched, so that there is nothing to compare either.
enum class Pace : uint8_t { thorough, quick, none };

struct StrategyInfo {
    std::string_view name;
    Pace pace = Pace::thorough;
    // By which it goes unless the user wants another; none: what ranks best on the device.
    std::optional<ModelKind> own_model = {};
    // What it does, in sentences for users, who choose it by name; empty: they are not to.
    std::string_view help = {};
};

class SearchStrategy {
public:
    virtual ~SearchStrategy() = default;

    virtual const StrategyInfo &info() const = 0;

    // What is found, with a report; passes are 0 in it where nothing was searched. Stops early when
    // the clock says so, and returns something complete even then. Deterministic but for that.
    virtual SearchResult search(const SearchProblem &problem, SearchContext &context) const = 0;

    // Whether it knows more to do with what it has found: then what nothing comes of is descended
    // from all the same (last_descent.h).
    virtual bool finishes() const { return false; }

    // A better schedule that starts from one of those states and may be of another pipeline, with
    // wrappers; nothing where there is none. Asked only for states that are about to be judged.
    // Adds what it did to `report`.
    virtual std::optional<CompleteState> finish(const SearchProblem &problem,
                                                SearchContext &context, const State &state,
                                                SearchReport &report) const;
};

}  // namespace autoschedule_gpu
