#include "scheduler/search/chains.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace autoschedule_gpu {

namespace {

// Of several levels of a scan there are seldom more.
constexpr size_t kMostLinks = 4;

// The Funcs at root whose kernels read one.
std::set<FuncId> readers_of(const Dag &dag, const State &state, FuncId func) {
    std::set<FuncId> readers;
    for (const size_t k : consumer_kernels(dag, state, func)) {
        readers.insert(dag.stage(state.nest.kernels[k]->stage).func);
    }
    return readers;
}

}  // namespace

bool may_leave_root(const Dag &dag, const State &state, FuncId id) {
    const Func &func = dag.func(id);
    return state.nest.place(id) == Place::root && !func.is_output() && !func.on_host() &&
           func.may_be_in_kernel();
}

std::optional<Chain> chain_from(const Dag &dag, const State &state, FuncId func) {
    std::set<FuncId> links{func}, readers;
    while (true) {
        for (const FuncId link : links) {
            if (!may_leave_root(dag, state, link)) return std::nullopt;
            readers.merge(readers_of(dag, state, link));
        }
        // The last in the pipeline is the one to which all others lead, if there is one.
        for (const FuncId link : links) readers.erase(link);
        if (readers.size() == 1) break;
        if (readers.empty() || links.size() + readers.size() - 1 > kMostLinks) return std::nullopt;
        links.insert(readers.begin(), std::prev(readers.end()));
    }
    const FuncId reader = *readers.begin();
    if (links.size() < 2 || dag.func(reader).on_host()) return std::nullopt;
    return Chain{{links.begin(), links.end()}, reader};
}

std::vector<FuncId> members_of(const Dag &dag, const State &state, FuncId func) {
    std::vector<FuncId> members;
    for (const KernelPtr &kernel : state.nest.kernels) {
        if (dag.stage(kernel->stage).func != func) continue;
        for (const Member &member : kernel->members) members.push_back(member.func);
    }
    return members;
}

}  // namespace autoschedule_gpu
