#include "halide/read/user_wrappers.h"

#include <algorithm>
#include <set>

namespace autoschedule_gpu::reading {
namespace {

// Whether each value is a call of `wrapped` at the wrapper's own point: clones have other values.
bool is_made_by_in(const HI::Function &wrapper, const std::string &wrapped) {
    if (!wrapper.updates().empty() || wrapper.has_extern_definition()) return false;
    return std::all_of(
        wrapper.values().begin(), wrapper.values().end(), [&](const Halide::Expr &value) {
            const auto *call = value.as<HI::Call>();
            return call != nullptr && call->call_type == HI::Call::Halide && call->name == wrapped;
        });
}

}  // namespace

std::map<std::string, UserWrapper> user_wrappers(const std::map<std::string, HI::Function> &env,
                                                 const std::vector<std::string> &order) {
    std::map<std::string, UserWrapper> found;
    std::map<std::string, int> readers;
    for (const auto &[name, func] : env) {
        for (const auto &[reader, wrapper] : func.schedule().wrappers()) {
            const std::string made = HI::Function(wrapper).name();
            found[made] = {.wraps = name, .reader = reader};
            readers[made]++;
        }
    }
    std::set<std::string> named(order.begin(), order.end());
    for (bool more = true; std::exchange(more, false);) {
        for (auto &[name, wrapper] : found) {
            if (wrapper.can_be_named || readers[name] > 1 || !named.contains(wrapper.wraps))
                continue;
            if (!wrapper.reader.empty() && !named.contains(wrapper.reader)) continue;
            if (!is_made_by_in(env.at(name), wrapper.wraps)) continue;
            wrapper.can_be_named = more = true;
            named.insert(name);
        }
    }
    return found;
}

void call_wrappers(std::vector<HI::Function> &outputs, std::map<std::string, HI::Function> &env) {
    auto [copies, funcs] = HI::deep_copy(outputs, env);
    outputs = copies;
    env = HI::wrap_func_calls(funcs);
}

}  // namespace autoschedule_gpu::reading
