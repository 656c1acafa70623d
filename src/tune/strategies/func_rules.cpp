#include "tune/strategies/func_rules.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace autoschedule_gpu {
namespace {

using OfFunc = ListedDecisions::OfFunc;

OfFunc decisions_of(const ListedDecisions &list, size_t func) {
    return list.funcs()[func];
}

size_t place_of(const ListedDecisions &list, size_t func) {
    return list.funcs()[func].front();
}

void choose_any(ListedDecisions &list, size_t decision, Random &random) {
    list.choose(decision, random.below(list.decisions()[decision].choices.size()));
}

// Another than it is. It is open.
void choose_other(ListedDecisions &list, size_t decision, Random &random) {
    const ListedDecision &one = list.decisions()[decision];
    const size_t other = random.below(one.choices.size() - 1);
    list.choose(decision, other < one.chosen ? other : other + 1);
}

// The choice by which nothing is transformed; none for places and the like.
std::optional<size_t> plain_choice(const ListedDecision &decision) {
    if (decision.is_size) return 0;
    const std::optional<size_t> none = decision.find("none");
    return none ? none : decision.find("off");
}

using Condition = std::function<bool(const ListedDecision &)>;

// One of the Func's open decisions of which that is true.
std::optional<size_t> any_of_func(const ListedDecisions &list, size_t func, Random &random,
                                  const Condition &is_wanted) {
    std::vector<size_t> wanted;
    for (const size_t d : decisions_of(list, func)) {
        const ListedDecision &one = list.decisions()[d];
        if (one.is_open() && is_wanted(one)) wanted.push_back(d);
    }
    if (wanted.empty()) return std::nullopt;
    return wanted[random.below(wanted.size())];
}

// The first of these that the decision has as a choice, if it has any.
bool choose_first_of(ListedDecisions &list, size_t decision,
                     std::initializer_list<std::string_view> values) {
    for (const std::string_view value : values) {
        if (const auto choice = list.decisions()[decision].find(value)) {
            list.choose(decision, *choice);
            return true;
        }
    }
    return false;
}

// Every decision of the Func of that kind.
void set_kind(ListedDecisions &list, size_t func, std::string_view kind, std::string_view value) {
    for (const size_t d : decisions_of(list, func)) {
        if (list.decisions()[d].kind == kind) choose_first_of(list, d, {value});
    }
}

// The sizes of that kind, loop by loop, as far as they can be chosen: x, then y.
std::vector<size_t> open_sizes(const ListedDecisions &list, size_t func, std::string_view kind) {
    std::vector<size_t> sizes;
    for (const size_t d : decisions_of(list, func)) {
        const ListedDecision &one = list.decisions()[d];
        if (one.kind == kind && one.is_size && one.is_open()) sizes.push_back(d);
    }
    return sizes;
}

constexpr std::string_view kSerial = "serial", kThreads = "threads";

void choose_least(ListedDecisions &list, const std::vector<size_t> &decisions) {
    for (const size_t d : decisions) list.choose(d, 0);
}

int64_t number(const ChoiceText &text) {
    int64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

void choose_most_up_to(ListedDecisions &list, size_t decision, int64_t most) {
    const std::vector<ChoiceText> &choices = list.decisions()[decision].choices;
    size_t chosen = 0;
    for (size_t i = 0; i < choices.size(); ++i) {
        if (number(choices[i]) <= most) chosen = i;
    }
    list.choose(decision, chosen);
}

// ---- templates

bool compute_under_x(ListedDecisions &list, size_t func, Random &) {
    return choose_first_of(list, place_of(list, func), {"threads", "block"});
}

bool tile_fully(ListedDecisions &list, size_t func, Random &random) {
    choose_first_of(list, place_of(list, func), {"root"});
    for (const std::string_view kind : {kThreads, kSerial}) {
        const std::vector<size_t> sizes = open_sizes(list, func, kind);
        choose_least(list, sizes);
        for (size_t i = 0; i < std::min<size_t>(2, sizes.size()); ++i) {
            choose_other(list, sizes[i], random);
        }
    }
    set_kind(list, func, "unroll", "all");
    return true;
}

bool parallel_over_y(ListedDecisions &list, size_t func, Random &) {
    choose_first_of(list, place_of(list, func), {"root"});
    choose_least(list, open_sizes(list, func, kSerial));
    const std::vector<size_t> threads = open_sizes(list, func, kThreads);
    choose_least(list, threads);
    if (!threads.empty()) {
        list.choose(threads[0], list.decisions()[threads[0]].choices.size() - 1);
    }
    set_kind(list, func, "vectors", "on");
    return true;
}

bool tile_on_gpu(ListedDecisions &list, size_t func, Random &) {
    constexpr int64_t kTile = 16;
    choose_first_of(list, place_of(list, func), {"root"});
    choose_least(list, open_sizes(list, func, kSerial));
    const std::vector<size_t> threads = open_sizes(list, func, kThreads);
    choose_least(list, threads);
    for (size_t i = 0; i < std::min<size_t>(2, threads.size()); ++i) {
        choose_most_up_to(list, threads[i], kTile);
    }
    return true;
}

// ---- rules

void randomize_constants(ListedDecisions &list, size_t func, Random &random) {
    for (const size_t d : decisions_of(list, func)) {
        if (list.decisions()[d].is_size) choose_any(list, d, random);
    }
}

void replace(ListedDecisions &list, size_t func, Random &random) {
    for (const size_t d : decisions_of(list, func)) choose_any(list, d, random);
}

// Those of a kind, in their order: as the numbers of loops are, they are matched like that.
std::vector<size_t> of_kind(const ListedDecisions &list, const OfFunc &func,
                            std::string_view kind) {
    std::vector<size_t> same;
    for (const size_t d : func) {
        if (list.decisions()[d].kind == kind) same.push_back(d);
    }
    return same;
}

void copy(ListedDecisions &list, size_t func, Random &random) {
    const std::vector<OfFunc> funcs = list.funcs();
    const OfFunc &to = funcs[func], &from = funcs[random.below(funcs.size())];
    std::map<std::string_view, size_t> copied;  // by kind
    for (const size_t d : to) {
        const std::string &kind = list.decisions()[d].kind;
        const std::vector<size_t> others = of_kind(list, from, kind);
        const size_t nth = copied[kind]++;
        if (nth < others.size()) choose_first_of(list, d, {list.decisions()[others[nth]].value()});
    }
}

void add_transformation(ListedDecisions &list, size_t func, Random &random) {
    const auto is_plain = [](const ListedDecision &one) { return plain_choice(one) == one.chosen; };
    if (const auto d = any_of_func(list, func, random, is_plain)) choose_other(list, *d, random);
}

void remove_transformation(ListedDecisions &list, size_t func, Random &random) {
    const auto d = any_of_func(list, func, random, [](const ListedDecision &one) {
        const std::optional<size_t> plain = plain_choice(one);
        return plain && *plain != one.chosen;
    });
    if (d) list.choose(*d, *plain_choice(list.decisions()[*d]));
}

void replace_transformation(ListedDecisions &list, size_t func, Random &random) {
    const auto d = any_of_func(list, func, random,
                               [](const ListedDecision &one) { return one.kind != "place"; });
    if (d) choose_other(list, *d, random);
}

void fuse_loops(ListedDecisions &list, size_t func, Random &random) {
    tile_fully(list, func, random);
    for (size_t callee = func + 1; callee < list.funcs().size(); ++callee) {
        if (compute_under_x(list, callee, random) && random.below(2) == 0) return;
    }
}

void apply_template(ListedDecisions &list, size_t func, Random &random) {
    constexpr std::array kTemplates = {compute_under_x, tile_fully, parallel_over_y, tile_on_gpu};
    kTemplates[random.below(kTemplates.size())](list, func, random);
}

constexpr std::array<FuncRule, 8> kRules = {{
    {"randomize constants", 1, randomize_constants},
    {"replace", 1, replace},
    {"copy", 1, copy},
    {"add a transformation", 1, add_transformation},
    {"remove a transformation", 1, remove_transformation},
    {"replace a transformation", 1, replace_transformation},
    {"loop fusion", 2, fuse_loops},
    {"template", 2, apply_template},
}};

}  // namespace

std::span<const FuncRule> func_rules() {
    return kRules;
}

ListedDecisions mutated_func(const ListedDecisions &list, Random &random) {
    ListedDecisions result = list;
    const size_t funcs = list.funcs().size();
    if (funcs == 0) return result;
    uint64_t sum = 0;
    for (const FuncRule &rule : kRules) sum += rule.weight;
    uint64_t at = random.below(sum);
    for (const FuncRule &rule : kRules) {
        if (at < rule.weight) {
            rule.apply(result, random.below(funcs), random);
            break;
        }
        at -= rule.weight;
    }
    return result;
}

ListedDecisions reasonable(const ListedDecisions &origin, double weight, Random &random) {
    ListedDecisions result = origin;
    for (size_t func = 0; func < origin.funcs().size(); ++func) {
        if (origin.decisions()[place_of(origin, func)].value() == "inline") continue;
        if (random.unit() < weight) {
            tile_fully(result, func, random);
        } else {
            parallel_over_y(result, func, random);
        }
    }
    return result;
}

ListedDecisions breadth_first(const ListedDecisions &origin) {
    ListedDecisions result = origin;
    for (const OfFunc &func : origin.funcs()) choose_first_of(result, func.front(), {"root"});
    return result;
}

ListedDecisions crossed(const ListedDecisions &a, const ListedDecisions &b, Random &random) {
    const size_t points = a.funcs().size() + 1;
    const size_t one = random.below(points), other = random.below(points);
    return a.with_funcs_of(b, std::min(one, other), std::max(one, other));
}

}  // namespace autoschedule_gpu
