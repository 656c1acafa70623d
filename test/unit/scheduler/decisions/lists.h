// Lists of decisions of nests, and what they lead to, for tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "scheduler/decisions/decisions_of_state.h"
#include "scheduler/decisions/follow.h"
#include "scheduler/nest/text.h"
#include "unit/scheduler/search/searched.h"

namespace autoschedule_gpu::example {

inline constexpr uint64_t kHash = 1;

inline DecisionList list_of(const Search &search, const Dag &dag, const State &state) {
    Result<DecisionList> list =
        decisions_of_state(dag, state, search.gpu, RuleBook(), search.space.freedom(), kHash);
    EXPECT_TRUE(list.ok()) << (list.ok() ? "" : list.error().message);
    return list.ok() ? std::move(list).value() : DecisionList{};
}

inline DecisionList list_of(const Search &search, const State &state) {
    return list_of(search, search.dag, state);
}

// The list of a nest that is given as text.
inline DecisionList list_of(const Search &search, const std::string &nest) {
    const Result<Nest> parsed = parse_nest(search.dag, nest);
    EXPECT_TRUE(parsed.ok()) << (parsed.ok() ? "" : parsed.error().message);
    return parsed.ok() ? list_of(search, search.space.adopt(*parsed)) : DecisionList{};
}

inline Coordinate &decision(DecisionList &list, const std::string &name, const std::string &kind) {
    const auto found = std::ranges::find_if(list.decisions, [&](const Coordinate &one) {
        return one.name == name && one.kind == kind;
    });
    if (found != list.decisions.end()) return *found;
    ADD_FAILURE() << "nothing is decided of " << name << "\n" << to_json(list);
    static Coordinate none;
    return none;
}

inline Result<Followed> followed(const Search &search, const DecisionList &list) {
    return follow(list, search.dag, search.gpu, RuleBook());
}

inline std::string error_of(const Search &search, const DecisionList &list) {
    const Result<Followed> result = followed(search, list);
    return result.ok() ? "accepted" : result.error().message;
}

}  // namespace autoschedule_gpu::example
