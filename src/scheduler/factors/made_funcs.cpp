#include "scheduler/factors/made_funcs.h"

#include <limits>
#include <set>
#include <utility>

namespace autoschedule_gpu {
namespace {

class MadeFuncs {
public:
    explicit MadeFuncs(const Dag &dag) {
        for (const Func &func : dag.funcs) {
            taken_.insert(func.name);
            whole_[func.halide_index] = func.name.substr(0, func.name.find('$'));
        }
    }

    void apply(const Directive &directive) {
        Extents &loops = loops_[{directive.func, directive.stage}];
        if (directive.op == DirectiveOp::split) split(directive, loops);
        if (shape(directive.op).factor) make(directive, Extents(loops));
    }

    std::map<int, MadeFunc> take() && { return std::move(made_); }

private:
    using Extents = std::map<std::string, int64_t>;  // what loops have at most

    // Of a loop that no split has made. Halide counts with 32 bits.
    static int64_t most(const Extents &loops, const LoopRef &loop) {
        const auto found = loop.is_original() ? loops.end() : loops.find(loop.name);
        return found == loops.end() ? std::numeric_limits<int32_t>::max() : found->second;
    }

    void split(const Directive &split, Extents &loops) {
        // Each reduction has loops of these names.
        factors_.erase(split.loops[1].name);
        rests_.erase(split.loops[2].name);
        factors_[split.loops[2].name] = split.factor;
        rests_[split.loops[1].name] = split.factor;
        const int64_t whole = most(loops, split.loops[0]);
        loops[split.loops[1].name] = (whole + split.factor - 1) / split.factor;
        loops[split.loops[2].name] = split.factor;
    }

    void make(const Directive &rfactor, Extents loops) {
        constexpr int kUpdate = 1;
        MadeFunc made;
        made.most = made_[rfactor.func].most;
        const size_t count = rfactor.loops.size() / 2;
        for (size_t i = 0; i < count; ++i) {
            made.most[rfactor.loops[count + i].name] = most(loops, rfactor.loops[i]);
        }
        const std::string &whole = whole_[rfactor.made_func] = whole_[rfactor.func];
        made.name = unique(whole + "_by_" + parts(rfactor));
        made_[rfactor.made_func] = std::move(made);
        loops_[{rfactor.made_func, kUpdate}] = std::move(loops);
    }

    // "32_lanes" or "chunks_of_128"; without the number where it is not known. So lists of
    // decisions about other numbers of parts are about other Funcs.
    std::string parts(const Directive &rfactor) const {
        if (rfactor.loops.empty()) return "1_lane";
        const LoopRef &loop = rfactor.loops[0];
        const std::string &dimension = rfactor.loops[rfactor.loops.size() / 2].name;
        const std::string words = dimension.substr(0, dimension.find_first_of("0123456789")) + "s";
        const auto factor = factors_.find(loop.name), rest = rests_.find(loop.name);
        if (factor != factors_.end()) return std::to_string(factor->second) + "_" + words;
        return rest == rests_.end() ? dimension : words + "_of_" + std::to_string(rest->second);
    }

    std::string unique(const std::string &base) {
        std::string name = base;
        for (int i = 2; !taken_.insert(name).second; ++i) name = base + "_" + std::to_string(i);
        return name;
    }

    std::set<std::string> taken_;
    Extents factors_;                   // of what splits have made, the inner loops
    Extents rests_;                     // of each outer loop, the iterations of the inner one
    std::map<int, std::string> whole_;  // of what a Func is a part
    std::map<std::pair<int, int>, Extents> loops_;
    std::map<int, MadeFunc> made_;
};

}  // namespace

std::map<int, MadeFunc> made_funcs(const Dag &dag, const Schedule &factors) {
    MadeFuncs funcs(dag);
    for (const Directive &directive : factors) funcs.apply(directive);
    std::map<int, MadeFunc> made = std::move(funcs).take();
    std::erase_if(made, [](const auto &entry) { return entry.second.name.empty(); });
    return made;
}

}  // namespace autoschedule_gpu
