// A list of decisions (autoschedule_gpu/decision.h) as strategies change it: values are chosen
// among the choices, or taken from another list. Whether the changed list leads to a schedule is
// not known here; Session::price tells.
//
//     JSON ─► parse ─► choose, mix_funcs ─► json ─► request_of_decisions, Session::price
//
// Decisions have numbers, their places in the list. Those of a Func stand together and begin with
// its place; Funcs come in the order of the pipeline from its outputs to its inputs. How the
// reductions of a Func are taken apart (rfactor) is decided ahead of all places, and is its Func's
// like the rest.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/error.h"
#include "lab/workloads/schedule_request.h"

namespace autoschedule_gpu {

// A value of a decision, as text: "32", "block".
using ChoiceText = std::string;

struct ListedDecision {
    std::string name, kind;
    std::vector<ChoiceText> choices;  // in the order of their meaning
    bool is_size = false;             // the choices are numbers
    size_t chosen = 0;                // of the choices

    bool is_open() const { return choices.size() > 1; }
    const ChoiceText &value() const { return choices[chosen]; }
    // The number of that choice.
    std::optional<size_t> find(std::string_view choice) const;

    friend bool operator==(const ListedDecision &, const ListedDecision &) = default;
};

class ListedDecisions {
public:
    // Errors say what of the list is not as it should be. A decision whose value is not among its
    // choices has that choice alone.
    static Result<ListedDecisions> parse(std::string_view json);

    const std::vector<ListedDecision> &decisions() const { return decisions_; }
    void choose(size_t decision, size_t choice) { decisions_[decision].chosen = choice; }

    // The numbers of a Func's decisions: its place, what stands behind that, and what stands ahead
    // of all places. What stands there and is about no Func with a place is nobody's.
    using OfFunc = std::vector<size_t>;
    std::vector<OfFunc> funcs() const;

    // This list with what `other` decides of some of the Funcs, where it has these: those that are
    // at [first, end) among this list's funcs().
    ListedDecisions with_funcs_of(const ListedDecisions &other, size_t first, size_t end) const;

    // On one line, as the plugin takes it.
    std::string json() const;

private:
    // What the list decides of the same, if it does.
    void replace(const ListedDecision &decision);

    std::string head_;  // JSON, an object: what is not about single decisions
    std::vector<ListedDecision> decisions_;
};

// Named "decisions 0123456789abcdef", after the content.
ScheduleRequest request_of_decisions(const std::string &decisions);

}  // namespace autoschedule_gpu
