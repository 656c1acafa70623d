#include "scheduler/decisions/own_names.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "scheduler/decisions/names.h"
#include "scheduler/schedule/ascii.h"

namespace autoschedule_gpu {
namespace {

constexpr std::string_view kWraps = ".in(";

// "f" of "f#6".
std::string without_index(const std::string &name) {
    const size_t mark = name.rfind('#');
    if (mark == std::string::npos || mark + 1 == name.size()) return name;
    const bool is_index =
        std::all_of(name.begin() + static_cast<std::ptrdiff_t>(mark) + 1, name.end(), is_digit);
    return is_index ? name.substr(0, mark) : name;
}

// Goes through the Funcs that a name names: f and g of "f.in(g.in()).x". Halide lets no Func have a
// dot in its name. `replaced` returns what to write for one.
template <typename Replaced>
std::string with_funcs(const std::string &name, Replaced replaced) {
    std::string result;
    size_t begin = 0;
    while (true) {
        const size_t end = std::min(name.find_first_of(".)", begin), name.size());
        if (end > begin) result += replaced(name.substr(begin, end - begin));
        const size_t wrapper = name.find(kWraps, end);
        if (wrapper == std::string::npos) return result + name.substr(end);
        begin = wrapper + kWraps.size();
        result += name.substr(end, begin - end);
    }
}

// Of this kind, the value and the choices are names of stages.
bool is_of_names(const Coordinate &decision) {
    return decision.kind == decision_kind::compute_with;
}

using NamesByPlain = std::map<std::string, std::set<std::string>>;

NamesByPlain names_in(const DecisionList &list) {
    NamesByPlain names;
    const auto add = [&](const std::string &func) {
        names[without_index(func)].insert(func);
        return func;
    };
    for (const Coordinate &decision : list.decisions) with_funcs(decision.name, add);
    return names;
}

// Images, which lists don't name, count as well.
std::map<std::string, std::vector<std::string>> names_in(const Dag &dag) {
    const Names names(dag);
    std::map<std::string, std::vector<std::string>> result;
    for (size_t i = 0; i < dag.funcs.size(); ++i) {
        const std::string &name = names.func(FuncId(i));
        result[without_index(name)].push_back(name);
    }
    return result;
}

}  // namespace

DecisionList with_own_names(DecisionList list, const Dag &dag) {
    const auto own = names_in(dag);
    const NamesByPlain listed = names_in(list);
    const auto replaced = [&](const std::string &func) {
        const auto names = own.find(without_index(func));
        const bool is_clear = names != own.end() && names->second.size() == 1 &&
                              listed.contains(names->first) && listed.at(names->first).size() == 1;
        return is_clear ? names->second.front() : func;
    };
    for (Coordinate &decision : list.decisions) {
        decision.name = with_funcs(decision.name, replaced);
        if (!is_of_names(decision)) continue;
        const auto rename = [&](DecisionValue &value) {
            value = with_funcs(std::get<std::string>(value), replaced);
        };
        rename(decision.value);
        std::ranges::for_each(decision.choices, rename);
    }
    return list;
}

}  // namespace autoschedule_gpu
