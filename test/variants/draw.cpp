#include "variants/draw.h"

#include <algorithm>
#include <random>
#include <set>

#include "variants/schedule_text.h"

namespace variants {
namespace {

namespace ir = Halide::Internal;

// Takes directives of `copy` away and returns what is left.
ScheduleText text_with(ir::Function copy, Kept kept, bool is_output) {
    keep_only(copy, kept, is_output);
    copy.lock_loop_levels();
    return text_of(copy);
}

// A copy of the pipeline as Halide sees it once wrappers are called in place of what they wrap.
struct Graph {
    std::map<std::string, ir::Function> funcs;
    std::vector<std::string> order;  // producers first
    std::map<std::string, std::set<std::string>> readers;
    std::set<std::string> outputs, scheduled;

    explicit Graph(const std::vector<ir::Function> &of) {
        for (const ir::Function &output : of) outputs.insert(output.name());
        auto [copies, env] = ir::deep_copy(of, ir::build_environment(of));
        for (auto &[name, func] : env) func.lock_loop_levels();
        for (const auto &[name, func] : ir::deep_copy(of, ir::build_environment(of)).second) {
            const ScheduleText plain = text_with(func, Kept::nothing, outputs.contains(name));
            if (plain != text_of(env.at(name))) scheduled.insert(name);
        }
        funcs = ir::wrap_func_calls(env);
        order = ir::topological_order(copies, funcs);
        for (const std::string &reader : order) {
            for (const auto &[name, func] : ir::find_direct_calls(funcs.at(reader))) {
                if (name != reader) readers[name].insert(reader);
            }
        }
    }
};

class Drawing {
public:
    Drawing(const Graph &graph, int keep_percent, std::mt19937_64 &random)
        : graph_(graph), random_(random) {
        for (size_t i = graph.order.size(); i-- > 0;) {
            const std::string &name = graph.order[i];
            kept_[name] = graph.scheduled.contains(name)
                              ? some_of(graph.funcs.at(name), keep_percent)
                              : Kept::nothing;
        }
    }

    std::map<std::string, Kept> result() && {
        while (drop_one()) {
        }
        return std::move(kept_);
    }

private:
    Kept some_of(const ir::Function &func, int keep_percent) {
        const bool all = static_cast<int>(random_() % 100) < keep_percent;
        const uint64_t other = random_() % 10;
        if (all) return Kept::all;
        const bool is_root = func.schedule().compute_level().is_root();
        if (other < 2) return Kept::loops;
        if (other < 4 && is_root) return Kept::place;
        return other < 6 ? Kept::layout : Kept::nothing;
    }

    // Drops the loops of a Func that cannot stand alone.
    bool drop_one() {
        for (auto &[name, kept] : kept_) {
            if (!has_loops(kept) || stands(graph_.funcs.at(name))) continue;
            kept = Kept::nothing;
            return true;
        }
        return false;
    }

    bool has_its_loops(const Halide::LoopLevel &level) const {
        return level.is_inlined() || level.is_root() || has_loops(kept_.at(level.func()));
    }

    bool stands(const ir::Function &func) const {
        const ir::FuncSchedule &schedule = func.schedule();
        const Halide::LoopLevel &place = schedule.compute_level();
        if (!has_its_loops(place) || !has_its_loops(schedule.store_level())) return false;
        if (!place.is_inlined() && !place.is_root() && !is_read_inside(func.name())) return false;
        const auto has_partner = [&](const ir::Definition &stage) {
            return has_its_loops(stage.schedule().fuse_level().level);
        };
        return !func.definition().defined() ||
               (has_partner(func.definition()) &&
                std::all_of(func.updates().begin(), func.updates().end(), has_partner));
    }

    // Whether all that reads it has the expert's place, or can be inlined into what has.
    bool is_read_inside(const std::string &name) const {
        const auto readers = graph_.readers.find(name);
        if (readers == graph_.readers.end()) return false;
        return std::all_of(readers->second.begin(), readers->second.end(),
                           [&](const std::string &reader) {
                               if (has_loops(kept_.at(reader))) return true;
                               return graph_.funcs.at(reader).updates().empty() &&
                                      kept_.at(reader) != Kept::place &&
                                      !graph_.outputs.contains(reader) && is_read_inside(reader);
                           });
    }

    const Graph &graph_;
    std::mt19937_64 &random_;
    std::map<std::string, Kept> kept_;
};

// Of the Funcs that the expert has scheduled, and of no others. Leaves nothing of the graph.
std::map<std::string, Kept> of_scheduled(const Graph &graph,
                                         const std::map<std::string, Kept> &all) {
    std::map<std::string, Kept> scheduled;
    for (const std::string &name : graph.scheduled) {
        // A Func that no output needs any more is not drawn.
        const auto kept = all.find(name);
        if (kept == all.end()) continue;
        const ir::Function &func = graph.funcs.at(name);
        const bool is_output = graph.outputs.contains(name);
        const ScheduleText left = text_with(func, kept->second, is_output);
        const ScheduleText plain = text_with(func, Kept::nothing, is_output);
        scheduled[name] = left == plain ? Kept::nothing : kept->second;
    }
    return scheduled;
}

// Whether something stays and something goes.
bool is_part(const std::map<std::string, Kept> &scheduled) {
    const auto count = [&](Kept kept) {
        return std::count_if(scheduled.begin(), scheduled.end(),
                             [&](const auto &one) { return one.second == kept; });
    };
    const auto all = static_cast<std::ptrdiff_t>(scheduled.size());
    return count(Kept::nothing) < all && count(Kept::all) < all;
}

// Drops wrappers of which nothing stays. One that is wrapped itself goes after its wrapper.
void drop_wrappers(std::map<std::string, ir::Function> &funcs,
                   const std::map<std::string, Kept> &kept) {
    const auto is_bare = [&](const auto &wrapper) {
        const ir::Function made(wrapper.second);
        const auto found = kept.find(made.name());
        return made.schedule().wrappers().empty() &&
               (found == kept.end() || found->second == Kept::nothing);
    };
    bool dropped = true;
    while (dropped) {
        dropped = false;
        for (auto &[name, func] : funcs) {
            dropped |= std::erase_if(func.schedule().wrappers(), is_bare) > 0;
        }
    }
}

}  // namespace

std::map<std::string, Kept> drawn(const std::vector<ir::Function> &outputs, const Draw &draw) {
    constexpr int kMostTries = 100;  // where all is to be kept, each is in vain
    std::mt19937_64 random(draw.seed);
    std::map<std::string, Kept> scheduled;
    for (int i = 0; i < kMostTries && !is_part(scheduled); ++i) {
        const Graph graph(outputs);
        scheduled = of_scheduled(graph, Drawing(graph, draw.keep_percent, random).result());
    }
    return scheduled;
}

void keep_drawn(const std::vector<ir::Function> &outputs, const std::map<std::string, Kept> &kept,
                uint64_t seed) {
    std::map<std::string, ir::Function> funcs = ir::build_environment(outputs);
    for (const auto &[name, what] : kept) {
        const bool is_output =
            std::any_of(outputs.begin(), outputs.end(),
                        [&](const ir::Function &output) { return output.name() == name; });
        keep_only(funcs.at(name), what, is_output);
    }
    if (seed % 2 == 1) drop_wrappers(funcs, kept);
}

}  // namespace variants
