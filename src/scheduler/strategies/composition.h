// How a schedule is found by default: the attempts that are made, one after the other, until a
// judge accepts what one of them finds. The list itself, the ladder, is at the top of
// composition.cpp.
//
//     attempt ─► strategy ─► states, best first ─► judge ─┬─► accepted
//        ▲                                                │
//        └──────────────── the next attempt ◄─────────────┴── refused
//
// A schedule that is accepted but spills registers is given up for one whose kernels that spill are
// nearly the same (where little is spilled), read from shared memory or are tiled for a device with
// fewer registers per thread, or else for what a search for such a device finds that starts from
// what the first found: if that is cheaper, or spills nothing and is not much dearer, by the model,
// which is told what registers and spills the compiler found in both. For that there must be time.
// What was judged by its parts is judged as a whole at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/dag/dag.h"
#include "core/support/error.h"
#include "scheduler/features/register_use.h"
#include "scheduler/model/model_choice.h"
#include "scheduler/rules/rule_book.h"
#include "scheduler/strategies/ranking_models.h"
#include "scheduler/strategies/registry.h"
#include "scheduler/strategies/strategy.h"

namespace autoschedule_gpu {

enum class Attempt : uint8_t {
    search,     // in the whole space
    no_fusion,  // in the smaller one that asks less of the compiler
    plain,      // nothing searched: every stage at root, in a kernel of its own
    host,       // nothing on the device
};
std::string_view to_string(Attempt attempt);

// What a judge says of a state that it accepts.
struct Judgement {
    // Per thread, of all kernels at the estimated sizes. None: there was no time to find out.
    std::optional<int64_t> spill_bytes = 0;
    size_t number = 0;  // of what the judge has accepted so far, from 0
    // Of the nest, in their order; empty: not known.
    std::vector<RegisterUse> kernels = {};
    // Its kernels were looked at one by one, which does not tell how the compiler gets on with the
    // whole.
    bool by_parts = false;
    // As spill_bytes, of the kernels that run only at other sizes than the estimates.
    int64_t spill_bytes_at_other_sizes = 0;
};

// Says whether a schedule can be used: for one, whether the compiler takes it.
class Judge {
public:
    virtual ~Judge() = default;

    // Nothing: it can't be used. Not thread-safe.
    virtual std::optional<Judgement> judge(const CompleteState &candidate, Attempt attempt) = 0;

    // Candidates of which some or all will be judged, in this order: what can be found out of them
    // at once may be found out now. What is judged of each stays the same. Returns of how many
    // something was.
    virtual size_t prepare(std::span<const CompleteState *const> candidates, Attempt attempt) {
        (void)candidates, (void)attempt;
        return 0;
    }

    // Whether the whole of a candidate can be used that was judged by its parts: the last word.
    virtual bool accepts_whole(const CompleteState &candidate, Attempt attempt) = 0;
};

// What a schedule is to be found for. All must outlive the call.
struct Composition {
    std::shared_ptr<const Dag> dag;  // with wrapped reductions (scheduler/space/wrappers.h)
    const RankingModels &models;     // and the device
    const ModelChoice &model;        // of which they were made
    const RuleBook &rules;
    const StrategyRegistry &strategies;
    std::string strategy;  // by its name there
};

struct ComposedSchedule {
    CompleteState complete;
    Attempt attempt = Attempt::search;
    Judgement judgement;
};

struct CompositionResult {
    std::optional<ComposedSchedule> schedule;  // none: the judge accepts nothing at all
    // Of the last search, with the parts of all.
    SearchReport report;
};

// Makes one attempt after the other. A strategy that an attempt of its own is made for ("plain")
// begins with that one. An error if there is no such strategy.
Result<CompositionResult> compose(const Composition &composition, SearchContext &context,
                                  Judge &judge);

}  // namespace autoschedule_gpu
