// Other orders in memory, Func by Func (core/dag/storage_order.h): those of which most is hoped are
// tried first, each from the best state so far. What is tried of a Func, reorder_storage.h and
// copy_reordered.h say.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/support/parallel.h"
#include "scheduler/model/cost_model.h"
#include "scheduler/search/report.h"
#include "scheduler/search/search_context.h"
#include "scheduler/space/space.h"

namespace autoschedule_gpu {

struct ReorderedStorage {
    std::shared_ptr<const Dag> dag;  // with those orders
    State state;                     // complete, of a space over this Dag
};

class OtherOrders {
public:
    // All must outlive it. `place`: of the Funcs that are looked at.
    OtherOrders(const SearchSpace &space, const CostModel &model, SearchContext &context,
                SearchReport &report, const State &state, Place place, size_t most_trials);
    virtual ~OtherOrders() = default;
    OtherOrders(const OtherOrders &) = delete;
    OtherOrders &operator=(const OtherOrders &) = delete;

    // As a part of the search, which the report calls `name`. Nothing where no other order makes
    // the state cheaper.
    std::optional<ReorderedStorage> run(const char *name);

protected:
    struct Candidate {
        FuncId func;
        int innermost = 0;
        double gain = 0;  // nanoseconds, with the kernels as they are
        // What readers would compute by vectors in their threads: what that gains is not known yet.
        std::vector<FuncId> channels = {};

        friend bool operator<(const Candidate &a, const Candidate &b) {
            if (a.channels.empty() != b.channels.empty()) return !a.channels.empty();
            return a.gain > b.gain;
        }
    };

    // The orders of a Func of which something may be hoped.
    virtual void add_candidates(FuncId func, ThreadPool &pool,
                                std::vector<Candidate> &result) const = 0;
    // The best state so far, with the Func in that order; nothing if that can't be.
    virtual std::optional<ReorderedStorage> tried(const Candidate &candidate) = 0;

    std::shared_ptr<const Dag> dag_of(const Candidate &candidate) const;
    // Of the kernels together, over a pipeline that differs in orders only.
    double cost_over(const Dag &dag, std::span<const KernelPtr> kernels, ThreadPool &pool) const;

    const SearchSpace &space_;
    const CostModel &model_;
    SearchContext &context_;
    SearchReport &report_;
    ReorderedStorage best_;

private:
    std::vector<Candidate> candidates() const;
    void try_all();

    Place place_;
    size_t most_trials_;
};

}  // namespace autoschedule_gpu
