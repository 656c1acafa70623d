// Lists of decisions in which somebody has changed how a reduction is taken apart. Then there are
// other Funcs, of which the list says nothing, and it says something of Funcs that are not there.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/dag/dag.h"
#include "core/support/error.h"
#include "plugins/autoscheduler/find_schedule.h"
#include "plugins/autoscheduler/variant.h"
#include "scheduler/decisions/decision_list.h"
#include "scheduler/decisions/follow.h"

namespace autoschedule_gpu {

// What lists can say that depends on how reductions are taken apart.
class Changeable {
public:
    Changeable(const VariantSource &source, const PipelineVariant &variant);

    bool is_changeable(const Coordinate &decision) const;
    // Whether the list has a place for all that is made in this variant, and for nothing else.
    bool is_of_this(const DecisionList &list) const;

private:
    std::vector<std::string> loops_;  // what names of loops begin with
    std::set<std::string> made_;      // Funcs of this variant
    std::set<std::string> funcs_;     // and of others
};

// Follows lists in one variant. What it needs of that is found out once: a list is followed in
// little more time. Safe from any thread.
class VariantFollower {
public:
    // The task must outlive it.
    VariantFollower(const ScheduleTask &task, PipelineVariant variant);

    const PipelineVariant &variant() const { return variant_; }

    // As `follow` (scheduler/decisions/follow.h). Where the list is not about this variant, a quick
    // search decides about what it leaves open, or, if that does not go with the rest, about all;
    // but a decision about what the pipeline has neither in this variant nor as it was read is an
    // error.
    Result<Followed> follow(const DecisionList &list) const;

    // Of that, what many lists have in common. The search goes by the roofline, whatever the task's
    // model is, so that a list leads to one schedule, under whichever model it is priced or built.
    // It is the same for all lists of a freedom that are not about the variant, and takes a hundred
    // times as long as following one of them.
    bool is_about(const DecisionList &list) const { return changeable_.is_of_this(list); }
    Result<DecisionList> quick_decisions(Freedom freedom) const;
    // Of a list that is about it, and of one that is not. `quick`: what was decided at the list's
    // freedom.
    Result<Followed> follow_as_it_is(const DecisionList &list) const;
    Result<Followed> follow_adapted(const DecisionList &list, const DecisionList &quick) const;

private:
    Status check_names(const DecisionList &list) const;

    const ScheduleTask &task_;
    PipelineVariant variant_;
    std::shared_ptr<const Dag> plain_;  // in which nothing is taken apart
    Changeable changeable_;
};

}  // namespace autoschedule_gpu
