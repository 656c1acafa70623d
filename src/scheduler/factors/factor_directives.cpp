#include "scheduler/factors/factor_directives.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/support/rounding.h"
#include "scheduler/factors/reduction.h"

namespace autoschedule_gpu {
namespace {

// What one thread adds up at the end of a level.
constexpr int64_t kMostSerial = 32;
// Partial results of a level more.
constexpr int64_t kFewParts = 16, kSomeParts = 32, kManyParts = 256;

int64_t parts_for(int64_t count) {
    if (count <= kFewParts * kFewParts) return kFewParts;
    return count <= kSomeParts * kSomeParts ? kSomeParts : kManyParts;
}

class Factorer {
public:
    Factorer(const Dag &dag, StageId id, Factoring factoring, int &next_number, Schedule &out)
        : dag_(dag),
          reduction_(reduction_of(dag, dag.stage(id))),
          factoring_(factoring),
          in_order_(dag.stage(id).partials == Partials::in_order),
          next_number_(next_number),
          out_(out) {
        const Func &func = dag.func_of(id);
        whole_ = {func.halide_index, func.name, dag.stage(id).index, {}};
        for (const Dimension &dim : func.dims) {
            whole_.dims.push_back(dim.name);
            taken_.insert(dim.name);
        }
        for (const Loop &loop : reduction_.stage->loops) taken_.insert(loop.name);
    }

    void write() {
        if (factoring_.steps == 0) return without_chunks();
        factoring_.lanes == 1 ? in_chunks_of_threads() : in_chunks();
    }

private:
    // An update, and the dimensions of its Func.
    struct Target {
        int func;
        std::string name;
        int stage;
        std::vector<std::string> dims;
    };

    void without_chunks() {
        if (factoring_.lanes == 1) {
            take_out(whole_, {});
            return;
        }
        const LaneLoops lanes = split_lanes(original(reduction_.lane), all_of(reduction_.lane));
        take_out(whole_, lanes.dims);
        fold_lanes(whole_, lanes);
    }

    // A thread has a chunk.
    void in_chunks_of_threads() {
        const std::string chunk = fresh("r_chunk");
        split(whole_, original(reduction_.chunk), chunk, fresh("r_in_chunk"), chunk_size());
        take_out(whole_, {{chunk, "chunk"}});
        fold(whole_, chunk, ceil_div(all_of(reduction_.chunk), chunk_size()));
    }

    void in_chunks() {
        const std::string chunk = fresh("r_chunk");
        LoopRef rest = original(reduction_.lane);
        int64_t extent = all_of(reduction_.lane);
        if (reduction_.has_own_chunk_loop()) {
            split(whole_, original(reduction_.chunk), chunk, fresh("r_row"), chunk_size());
        } else {
            const std::string in_chunk = fresh("r_in_chunk");
            extent = chunk_size();
            split(whole_, rest, chunk, in_chunk, extent);
            rest = LoopRef::made(in_chunk);
        }
        const LaneLoops lanes = split_lanes(rest, extent);
        Dims dims = lanes.dims;
        dims.emplace_back(chunk, "chunk");
        take_out(whole_, dims);
        const Target of_chunk = take_out(whole_, {{chunk, "chunk"}});
        fold_lanes(of_chunk, lanes);
        fold(whole_, chunk, ceil_div(all_of(reduction_.chunk), chunk_size()));
    }

    int64_t all_of(size_t loop) const { return reduction_.extent(loop); }

    // Iterations of the chunk loop.
    int64_t chunk_size() const { return reduction_.chunk_size(factoring_.lanes, factoring_.steps); }

    // Loops, and the dimension that each becomes.
    using Dims = std::vector<std::pair<std::string, std::string>>;
    struct LaneLoops {
        Dims dims;  // lanes, and rows of them if there are several
        int64_t lanes, rows;
    };

    // In order, a lane has neighbouring iterations, else every so many others are between them, so
    // that neighbouring lanes read neighbouring elements.
    LaneLoops split_lanes(const LoopRef &loop, int64_t extent) {
        if (reduction_.takes_all_within(factoring_.lanes)) return split_rows(loop);
        const std::string lane = fresh("r_lane"), step = fresh("r_step");
        if (in_order_) {
            split(whole_, loop, lane, step, ceil_div(extent, factoring_.lanes));
        } else {
            split(whole_, loop, step, lane, factoring_.lanes);
        }
        return {{{lane, "lane"}}, factoring_.lanes, 1};
    }

    // Lanes along a whole short loop, and rows of them.
    LaneLoops split_rows(const LoopRef &loop) {
        const int64_t lanes = all_of(*reduction_.within), rows = reduction_.rows(factoring_.lanes);
        const std::string lane = fresh("r_lane");
        LaneLoops result{{{lane, "lane"}}, lanes, rows};
        if (rows > 1) result.dims.emplace_back(fresh("r_row"), "row");
        split(whole_, original(*reduction_.within), fresh("r_step"), lane, lanes);
        if (rows > 1) split(whole_, loop, fresh("r_step"), result.dims.back().first, rows);
        return result;
    }

    // A thread adds up the lanes of a row.
    void fold_lanes(const Target &target, const LaneLoops &lanes) {
        const std::string &last = lanes.dims.back().first;
        if (lanes.rows == 1) return fold(target, last, lanes.lanes);
        take_out(target, {{last, "part"}});
        fold(target, last, lanes.rows);
    }

    // Puts `count` partial results together in as many levels as it takes that none is long.
    void fold(const Target &target, std::string loop, int64_t count) {
        while (count > kMostSerial) {
            const int64_t parts = parts_for(count);
            const std::string part = fresh("r_part"), step = fresh("r_step");
            if (in_order_) {
                split(target, LoopRef::made(loop), part, step, ceil_div(count, parts));
            } else {
                split(target, LoopRef::made(loop), step, part, parts);
            }
            take_out(target, {{part, "part"}});
            loop = part;
            count = parts;
        }
    }

    Directive &add(const Target &target, DirectiveOp op) {
        Directive directive;
        directive.op = op;
        directive.func = target.func;
        directive.func_name = target.name;
        out_.push_back(std::move(directive));
        return out_.back();
    }

    void split(const Target &target, const LoopRef &loop, const std::string &outer,
               const std::string &inner, int64_t factor) {
        Directive &directive = add(target, DirectiveOp::split);
        directive.stage = target.stage;
        directive.loops = {loop, LoopRef::made(outer), LoopRef::made(inner)};
        directive.factor = factor;
    }

    // Makes a Func with dimensions for loops; the first is the innermost in memory, for threads run
    // over it.
    Target take_out(const Target &target, const Dims &loops) {
        Target made{next_number_++, target.name + "_intm", 1, target.dims};
        std::vector<LoopRef> out, dims;
        for (const auto &[loop, dim] : loops) {
            out.push_back(LoopRef::made(loop));
            dims.push_back(LoopRef::made(fresh(dim)));
            made.dims.push_back(dims.back().name);
        }
        out.insert(out.end(), dims.begin(), dims.end());
        Directive &directive = add(target, DirectiveOp::rfactor);
        directive.stage = target.stage;
        directive.loops = std::move(out);
        directive.made_func = made.func;
        if (!loops.empty() && loops.front().second != "chunk") move_first(made, target.dims.size());
        return made;
    }

    void move_first(const Target &made, size_t dim) {
        if (dim == 0) return;
        Directive &directive = add(made, DirectiveOp::reorder_storage);
        const auto own = [&](size_t d) { return LoopRef{static_cast<int>(d), made.dims[d]}; };
        directive.loops = {own(dim)};
        for (size_t d = 0; d < made.dims.size(); ++d) {
            if (d != dim) directive.loops.push_back(own(d));
        }
    }

    LoopRef original(size_t loop) const {
        return {static_cast<int>(loop), reduction_.stage->loops[loop].name};
    }

    std::string fresh(const std::string &base) {
        std::string name = base;
        for (int i = 2; !taken_.insert(name).second; ++i) name = base + std::to_string(i);
        return name;
    }

    const Dag &dag_;
    Reduction reduction_;
    Factoring factoring_;
    bool in_order_;
    int &next_number_;
    Schedule &out_;
    Target whole_;
    std::set<std::string> taken_;
};

}  // namespace

Schedule factor_directives(const Dag &dag, std::span<const FactoredStage> stages) {
    int next_number = 0;
    for (const Func &func : dag.funcs) next_number = std::max(next_number, func.halide_index + 1);
    Schedule schedule;
    for (const FactoredStage &one : stages) {
        Factorer(dag, one.stage, one.factoring, next_number, schedule).write();
    }
    return schedule;
}

}  // namespace autoschedule_gpu
