#include "halide/read/fit_around_users.h"

namespace autoschedule_gpu::reading {
namespace {

class Fitting {
public:
    Fitting(const UserFuncs &users, Dag &dag) : users_(users), dag_(dag) {}

    // A wrapper without a place stays inline, as its user has left it. If its loops are ours to
    // make, a schedule must name it.
    std::string name_wrappers() {
        for (const std::string &name : users_.order) {
            if (!users_.wrappers.contains(name)) continue;
            Func &func = func_of(name);
            func.must_inline = func.can_inline;
            if (func.must_inline || func.ours == Func::Ours::nothing) continue;
            const std::string error = name_wrapper(name);
            if (!error.empty()) return error;
        }
        return "";
    }

    // What is computed in a loop of the users' is there for all that reads it: what of that is ours
    // has no other place than inline.
    std::string inline_inside_theirs() {
        for (size_t f = 0; f < dag_.funcs.size(); f++) {
            const auto theirs = users_.theirs.find(dag_.funcs[f].name);
            if (theirs == users_.theirs.end() || theirs->second.site.empty()) continue;
            const std::string reader = inline_readers_of(FuncId(f));
            if (reader.empty()) continue;
            return "Func " + theirs->first + ": compute_at can't be kept, for " + reader +
                   " reads it and is the autoscheduler's to place: schedule " + reader +
                   ", too, or remove compute_at (autoscheduler.respect=refuse refuses all)";
        }
        return "";
    }

    // What only the users' Funcs read, point by point, stays inline in them. So does a copy that
    // they read, whoever else reads it: nobody would want a kernel that copies an image for them.
    // All else that they read is computed at root.
    void inline_into_theirs() {
        std::vector<bool> in_theirs(dag_.funcs.size());
        for (size_t f = dag_.funcs.size(); f-- > 0;) {
            Func &func = dag_.funcs[f];
            in_theirs[f] = func.ours == Func::Ours::nothing;
            if (!func.can_inline || func.is_output() || dag_.consumers[f].empty()) continue;
            bool any_theirs = false, only_theirs = true, pointwise = true;
            for (const EdgeId edge : dag_.consumers[f]) {
                const FuncId reader = dag_.stage(dag_.edge(edge).consumer).func;
                any_theirs = any_theirs || in_theirs[reader.index()];
                only_theirs = only_theirs && in_theirs[reader.index()];
                pointwise = pointwise && dag_.edge(edge).pointwise;
            }
            in_theirs[f] = func.must_inline && only_theirs;
            const bool is_work = dag_.stage(func.stages[0]).ops.total() > 0;
            if (is_work ? !only_theirs || !pointwise : !any_theirs) continue;
            func.must_inline = in_theirs[f] = true;
        }
    }

private:
    Func &func_of(const std::string &name) { return dag_.funcs[users_.ids.at(name).index()]; }

    // Names what it wraps, too, if that is a wrapper.
    std::string name_wrapper(const std::string &name) {
        const UserWrapper &wrapper = users_.wrappers.at(name);
        if (!wrapper.can_be_named) {
            return "Func " + name +
                   ": a wrapper of several readers, or one made by clone_in(), can't be kept while "
                   "its loops are the autoscheduler's to make: schedule these, too, or remove the "
                   "wrapper";
        }
        Func &func = func_of(name);
        func.users_wrapper_of = users_.ids.at(wrapper.wraps);
        if (!wrapper.reader.empty()) func.users_wrapper_for = users_.ids.at(wrapper.reader);
        return users_.wrappers.contains(wrapper.wraps) ? name_wrapper(wrapper.wraps) : "";
    }

    // Returns the name of a reader that can't be inlined; empty if there is none.
    std::string inline_readers_of(FuncId id) {
        for (const EdgeId edge : dag_.consumers[id.index()]) {
            const FuncId reader = dag_.stage(dag_.edge(edge).consumer).func;
            Func &func = dag_.funcs[reader.index()];
            if (reader == id || func.ours == Func::Ours::nothing) continue;
            if (!func.can_inline) return func.name;
            func.must_inline = true;
            const std::string other = inline_readers_of(reader);
            if (!other.empty()) return other;
        }
        return "";
    }

    const UserFuncs users_;
    Dag &dag_;
};

}  // namespace

std::string fit_around_users(const UserFuncs &users, Dag &dag) {
    Fitting fitting(users, dag);
    std::string error = fitting.name_wrappers();
    if (error.empty()) error = fitting.inline_inside_theirs();
    if (error.empty()) fitting.inline_into_theirs();
    return error;
}

}  // namespace autoschedule_gpu::reading
