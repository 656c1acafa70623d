#include "scheduler/space/wrappers.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/dag/strides.h"
#include "scheduler/nest/edit.h"
#include "scheduler/space/point_by_point.h"

namespace autoschedule_gpu {

namespace {

// An invalid reader stands for all.
using Pair = WrappedRead;

FuncId reader_of(const Dag &dag, EdgeId edge) {
    return dag.stage(dag.edge(edge).consumer).func;
}

Loop pure_loop(const std::string &name, int dim) {
    Loop loop;
    loop.name = name;
    loop.dim = dim;
    return loop;
}

void set_strides(std::vector<Dimension> &dims) {
    int64_t stride = 1;
    for (Dimension &dim : dims) {
        dim.stride = stride;
        stride = outer_stride(stride, dim.estimate.extent());
    }
}

// Copies a Dag and adds a wrapper for each pair, behind the Func that it wraps.
class Wrapping {
public:
    Wrapping(const Dag &dag, const std::set<Pair> &pairs)
        : from_(dag), funcs_(dag.funcs.size()), stages_(dag.stages.size()) {
        to_.regions = from_.regions;
        to_.wide_vectors = from_.wide_vectors;
        to_.most_vector_lanes = from_.most_vector_lanes;
        to_.large_buffers = from_.large_buffers;
        for (const Func &func : from_.funcs) next_index_ = std::max(next_index_, func.halide_index);
        auto pair = pairs.begin();
        for (size_t i = 0; i < from_.funcs.size(); ++i) {
            add_func(FuncId(i));
            for (; pair != pairs.end() && pair->func == FuncId(i); ++pair) {
                add_wrapper(pair->func, pair->reader);
            }
        }
        for (size_t i = 0; i < from_.funcs.size(); ++i) {
            const Func &before = from_.funcs[i];
            Func &func = to_.funcs[now(FuncId(i)).index()];
            if (before.reader.valid()) func.reader = now(before.reader);
            if (before.users_wrapper_for.valid()) {
                func.users_wrapper_for = now(before.users_wrapper_for);
            }
        }
        for (const auto &[of, wrapper] : wrappers_) {
            if (of.reader.valid()) to_.funcs[wrapper.index()].reader = now(of.reader);
        }
        link_consumers(to_);
        find_constant_dimensions(to_);
        find_widest_ranges(to_);
        find_aligned_tiles(to_);
        find_rows_of_outputs(to_);
    }

    const Dag &dag() const { return to_; }
    Dag take() && { return std::move(to_); }

    FuncId now(FuncId before) const { return funcs_[before.index()]; }
    StageId now(StageId before) const { return stages_[before.index()]; }
    const std::map<Pair, FuncId> &wrappers() const { return wrappers_; }

private:
    void add_func(FuncId id) {
        Func func = from_.func(id);
        const std::vector<StageId> stages = std::exchange(func.stages, {});
        if (func.wraps.valid()) func.wraps = now(func.wraps);
        if (func.users_wrapper_of.valid()) func.users_wrapper_of = now(func.users_wrapper_of);
        funcs_[id.index()] = FuncId(to_.funcs.size());
        to_.funcs.push_back(std::move(func));
        for (StageId stage : stages) add_stage(stage);
    }

    void add_stage(StageId id) {
        Stage stage = from_.stage(id);
        const FuncId consumer = stage.func;
        stage.func = now(consumer);
        for (Load &load : stage.loads) load.producer = read_as(load.producer, consumer);
        const StageId new_id(to_.stages.size());
        stages_[id.index()] = new_id;
        for (EdgeId &edge : stage.edges) {
            Edge changed = from_.edge(edge);
            changed.consumer = new_id;
            changed.producer = read_as(changed.producer, consumer);
            edge = EdgeId(to_.edges.size());
            to_.edges.push_back(changed);
        }
        to_.funcs[stage.func.index()].stages.push_back(new_id);
        to_.stages.push_back(std::move(stage));
    }

    // What `reader` reads in place of the Func.
    FuncId read_as(FuncId func, FuncId reader) const {
        if (func == reader) return now(func);
        for (const FuncId of : {reader, FuncId()}) {
            const auto wrapper = wrappers_.find({func, of});
            if (wrapper != wrappers_.end()) return wrapper->second;
        }
        return now(func);
    }

    void add_wrapper(FuncId id, FuncId reader) {
        const FuncId wrapper(to_.funcs.size());
        const Func &wrapped = from_.func(id);
        const size_t dims = wrapped.dims.size();
        Func func;
        func.name = name_of(wrapped, reader);
        func.halide_index = ++next_index_;
        func.dims = wrapped.dims;
        func.values = wrapped.values;
        func.can_inline = true;
        func.keeps_storage = wrapped.keeps_storage;
        func.channel_vectors = wrapped.channel_vectors;
        func.computed = add_identity(to_.regions, dims);
        func.wraps = now(id);
        func.stages = {StageId(to_.stages.size())};
        for (Dimension &dim : func.dims) dim.estimate = {};
        for (EdgeId edge : from_.consumers[id.index()]) {
            if (!reader.valid() || reader_of(from_, edge) == reader) include(edge, func.dims);
        }
        set_strides(func.dims);

        Stage stage;
        stage.func = wrapper;
        stage.store = AccessMatrix(dims, dims);
        for (size_t d = 0; d < dims; ++d) {
            stage.loops.push_back(pure_loop(func.dims[d].name, static_cast<int>(d)));
            stage.store.at(d, d) = {1, true};
        }
        // Of a Tuple, once per element.
        for (const ScalarType &value : func.values) {
            Load load{func.wraps, 1, value.bytes(), stage.store};
            load.in_tuple = stage.loads.empty() ? 0 : 1;
            stage.loads.push_back(std::move(load));
        }
        stage.edges = {EdgeId(to_.edges.size())};
        to_.edges.push_back({func.stages[0], func.wraps, func.computed, true, false});
        to_.stages.push_back(std::move(stage));
        to_.funcs.push_back(std::move(func));
        wrappers_[{id, reader}] = wrapper;
    }

    // As Halide calls it, up to the number of a wrapper for one reader: measurements find kernels
    // by the name of their Func (lab/build/launch_report.h).
    std::string name_of(const Func &wrapped, FuncId reader) const {
        if (!reader.valid()) return wrapped.name + "_global_wrapper$0";
        return wrapped.name + "_in_" + from_.func(reader).name;
    }

    // What all iterations of the consumer read.
    void include(EdgeId id, std::vector<Dimension> &dims) {
        const Edge &edge = from_.edge(id);
        const Stage &consumer = from_.stage(edge.consumer);
        std::vector<Interval> ranges, region(dims.size());
        for (const Loop &loop : consumer.loops) {
            ranges.push_back(estimated_range(from_, consumer, loop));
        }
        from_.regions.evaluate(edge.region, ranges, region);
        for (size_t d = 0; d < dims.size(); ++d) dims[d].estimate.include(region[d]);
    }

    const Dag &from_;
    Dag to_;
    std::vector<FuncId> funcs_;    // before to now
    std::vector<StageId> stages_;  // likewise
    std::map<Pair, FuncId> wrappers_;
    int next_index_ = -1;
};

BandPtr renamed(const Wrapping &wrapping, const Band &band) {
    Band copy = band;
    copy.stage = wrapping.now(band.stage);
    if (band.loop.valid()) copy.loop.update = wrapping.now(band.loop.update);
    for (BandPtr &child : copy.body) child = renamed(wrapping, *child);
    return std::make_shared<const Band>(std::move(copy));
}

KernelPtr renamed(const Wrapping &wrapping, const Dag &to, const Kernel &kernel) {
    if (kernel.on_host) return make_host_kernel(to, wrapping.now(kernel.stage));
    Kernel copy = kernel;
    copy.stage = wrapping.now(kernel.stage);
    copy.blocks = renamed(wrapping, *kernel.blocks);
    if (kernel.with.valid()) copy.with = wrapping.now(kernel.with);
    for (FuncId &func : copy.inlined) func = wrapping.now(func);
    for (Member &member : copy.members) {
        member.func = wrapping.now(member.func);
        if (member.site.valid()) member.site = wrapping.now(member.site);
        if (member.loop.valid()) member.loop.update = wrapping.now(member.loop.update);
    }
    return KernelDraft(copy).finish();
}

bool has_host_reader(const Dag &dag, FuncId func) {
    const std::vector<EdgeId> &edges = dag.consumers[func.index()];
    return std::any_of(edges.begin(), edges.end(),
                       [&](EdgeId edge) { return dag.func(reader_of(dag, edge)).on_host(); });
}

bool may_be_wrapped(const Dag &dag, FuncId id) {
    const Func &func = dag.func(id);
    return func.kind == Func::Kind::internal && !func.on_host() && !func.must_inline &&
           !has_host_reader(dag, id);
}

// Whether a Func's points can't all be computed where its only reader computes the same points.
// What is inlined into its own readers computes none.
bool has_own_kernel(const Dag &dag, FuncId id) {
    const std::vector<EdgeId> &edges = dag.consumers[id.index()];
    if (edges.empty()) return false;
    const FuncId reader = reader_of(dag, edges[0]);
    const bool is_read_elsewhere = std::ranges::any_of(edges, [&](EdgeId edge) {
        return !dag.edge(edge).pointwise || reader_of(dag, edge) != reader;
    });
    return is_read_elsewhere ||
           (is_computed_by_readers(dag, reader) && has_own_kernel(dag, reader));
}

}  // namespace

Dag with_wrapped_reductions(const Dag &dag) {
    std::set<Pair> pairs;
    for (size_t i = 0; i < dag.funcs.size(); ++i) {
        if (dag.funcs[i].stages.size() < 2 || !may_be_wrapped(dag, FuncId(i))) continue;
        if (!has_own_kernel(dag, FuncId(i))) continue;
        pairs.insert({FuncId(i), FuncId()});
    }
    return Wrapping(dag, pairs).take();
}

std::set<WrappedRead> wrappable_reads(const Dag &dag) {
    std::set<WrappedRead> reads;
    for (size_t i = 0; i < dag.edges.size(); ++i) {
        const Edge &edge = dag.edges[i];
        if (edge.pointwise || !may_be_wrapped(dag, edge.producer)) continue;
        reads.insert({edge.producer, reader_of(dag, EdgeId(i))});
    }
    return reads;
}

std::vector<FuncId> single_reader_wrappers(const Dag &dag) {
    std::vector<FuncId> result;
    for (size_t i = 0; i < dag.funcs.size(); ++i) {
        if (dag.funcs[i].reader.valid()) result.push_back(FuncId(i));
    }
    return result;
}

Dag with_wrappers(const Dag &dag, const std::set<WrappedRead> &reads) {
    return Wrapping(dag, reads).take();
}

WrappedReads with_wrapped_reads(const Dag &dag, const Nest &nest) {
    std::set<WrappedRead> reads = wrappable_reads(dag);
    std::erase_if(reads, [&](const WrappedRead &read) {
        if (!is_copy(dag, read.func)) return false;
        // A copy with a single reader can be staged itself.
        const bool shared_copy = nest.place(read.func) == Place::inlined &&
                                 !is_copy(dag, read.reader) &&
                                 dag.consumers[read.func.index()].size() > 1;
        return !shared_copy;
    });
    Wrapping wrapping(dag, reads);
    WrappedReads result;
    for (const auto &[of, wrapper] : wrapping.wrappers()) result.wrappers.push_back(wrapper);
    result.nest.places.assign(dag.funcs.size() + reads.size(), Place::inlined);
    for (size_t i = 0; i < dag.funcs.size(); ++i) {
        result.nest.places[wrapping.now(FuncId(i)).index()] = nest.places[i];
    }
    for (const KernelPtr &kernel : nest.kernels) {
        result.nest.kernels.push_back(renamed(wrapping, wrapping.dag(), *kernel));
    }
    result.dag = std::move(wrapping).take();
    return result;
}

}  // namespace autoschedule_gpu
