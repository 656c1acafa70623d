#include "learn/random_pipelines/random_pipeline.h"

#include <algorithm>

#include "learn/random_pipelines/kinds.h"
#include "learn/random_pipelines/pipeline_builder.h"
#include "learn/random_pipelines/surroundings.h"

namespace autoschedule_gpu::random_pipelines {

namespace {

constexpr int kMaxOutputs = 3;

// Returns the values that nobody reads yet, which are candidates for outputs.
std::vector<Value *> loose_ends(PipelineBuilder &builder) {
    std::vector<Value *> ends;
    for (Value *value : builder.values()) {
        if (value->input < 0 && value->uses == 0) ends.push_back(value);
    }
    return ends;
}

void draw_funcs(PipelineBuilder &builder, const std::vector<Kind> &kinds) {
    int total = 0;
    for (const Kind &kind : kinds) total += kind.weight;
    // Kinds add different numbers of Funcs: 8 kinds make up to about 14.
    const int most = builder.chance(60) ? builder.style().usual_kinds : builder.style().most_kinds;
    const int draws = static_cast<int>(builder.random().between(1, most));
    int made = 0;
    for (int attempt = 0; made < draws && attempt < 60; ++attempt) {
        int ticket = static_cast<int>(builder.random().below(total));
        const Kind *kind = kinds.data();
        while (ticket >= kind->weight) ticket -= kind++->weight;
        if (!kind->make(builder)) continue;
        ++builder.features[kind->name];
        ++made;
    }
    // If no kind found a suitable input, there is nothing yet.
    if (loose_ends(builder).empty()) pointwise_kinds().front().make(builder);
}

// Joins loose ends until there are few enough for them to be outputs.
void join_loose_ends(PipelineBuilder &builder, size_t wanted) {
    for (std::vector<Value *> ends = loose_ends(builder); ends.size() > wanted;
         ends = loose_ends(builder)) {
        std::stable_sort(ends.begin(), ends.end(),
                         [](const Value *a, const Value *b) { return a->rank() > b->rank(); });
        Value *leader = ends[0], *other = ends[1];
        FuncBuilder draft = builder.draft("join", builder.nominal_of(*leader));
        for (int d = 0; d < draft.rank(); ++d) {
            if (leader->dims[d].promised) draft.promise(d);
        }
        const Term term = builder.read_aligned(draft, *leader);
        const Term stored =
            builder.store(builder.combine(term, builder.read_aligned(draft, *other)));
        draft.func()(draft.vars()) = stored.expr;
        builder.finish(draft, stored.magnitude, stored.exact);
    }
}

bool is_shrinkable(const ValueDim &dim) {
    return dim.touched.extent() <= 0 && !dim.hard;
}

// Leaves a multiple of four of a row, from 0 on if it can, where the style wants that. Channels are
// no rows.
void maybe_round_row(PipelineBuilder &builder, const Value &value, OutputFunc &output) {
    const auto row = std::ranges::find_if_not(value.dims, &ValueDim::promised);
    if (row == value.dims.end() || !is_shrinkable(*row)) return;
    Span &span = output.region[row - value.dims.begin()];
    const Span from_0{std::max(span.lo, 0), span.hi};
    if (from_0.extent() < 4 || !builder.wants_whole_row()) return;
    span.lo = from_0.lo;
    span.hi = span.lo + span.extent() / 4 * 4 - 1;
}

void promise_extents(const Value &value, OutputFunc &output) {
    for (size_t d = 0; d < value.dims.size(); ++d) {
        if (!value.dims[d].promised) continue;
        const Span span = output.region[d];
        output.func.bound(output.func.args()[d], span.lo, span.extent());
    }
}

// Chooses the part of its nominal region that an output is asked for.
OutputFunc as_output(PipelineBuilder &builder, Value &value) {
    OutputFunc output{value.func, {}, {}};
    for (const ValueDim &dim : value.dims) {
        Span span = dim.nominal;
        const bool shrinkable = is_shrinkable(dim);
        if (shrinkable && builder.chance(builder.style().tiny_output_percent)) {
            span.hi = std::min(span.hi, span.lo + builder.pick({0, 1, 2}));
            ++builder.features["tiny_output"];
        } else if (shrinkable && builder.chance(builder.style().cropped_output_percent)) {
            span.lo = static_cast<int>(builder.random().between(span.lo, (span.lo + span.hi) / 2));
        }
        output.region.push_back(span);
        output.growable.push_back(!dim.hard);
    }
    maybe_round_row(builder, value, output);
    promise_extents(value, output);
    return output;
}

void maybe_bound(PipelineBuilder &builder, const Value &value, OutputFunc &output) {
    if (output.region.empty() || !builder.chance(10)) return;
    const int dim = static_cast<int>(builder.random().below(output.region.size()));
    if (value.dims[dim].promised) return;  // and bound
    const Span span = output.region[dim];
    output.func.bound(output.func.args()[dim], span.lo, span.extent());
    output.growable[dim] = false;
    ++builder.features["bound_output"];
}

// Makes a Func that others read an output too. It must then cover all that they may read of it: its
// whole legal region, which has to be finite.
bool add_fed_output(PipelineBuilder &builder, std::vector<OutputFunc> &outputs) {
    for (Value *value : builder.values()) {
        if (value->input >= 0 || value->uses == 0 || builder.stays_inline(*value)) continue;
        OutputFunc output{value->func, {}, {}};
        bool finite = true;
        for (const ValueDim &dim : value->dims) {
            finite = finite && dim.legal.extent() < 400;
            output.region.push_back(dim.legal);
            output.growable.push_back(!dim.hard);
        }
        if (!finite || !builder.chance(50)) continue;
        promise_extents(*value, output);
        outputs.push_back(output);
        ++builder.features["output_feeds_output"];
        return true;
    }
    return false;
}

std::vector<OutputFunc> choose_outputs(PipelineBuilder &builder) {
    const size_t wanted = builder.chance(60) ? 1 : builder.pick({2, 2, kMaxOutputs});
    join_loose_ends(builder, wanted);
    std::vector<OutputFunc> outputs;
    for (Value *value : loose_ends(builder)) {
        outputs.push_back(as_output(builder, *value));
        maybe_bound(builder, *value, outputs.back());
        if (value->rank() == 0) ++builder.features["scalar_output"];
    }
    if (outputs.size() > 1) ++builder.features["several_outputs"];
    if (builder.chance(15)) add_fed_output(builder, outputs);
    return outputs;
}

bool uses_doubles(PipelineBuilder &builder) {
    for (const Value *value : builder.values()) {
        for (Halide::Type type : value->types) {
            if (type == Halide::Float(64)) return true;
        }
    }
    return false;
}

// Draws the Funcs, before outputs are chosen.
void fill(PipelineBuilder &builder, Family family) {
    const int inputs = builder.pick({1, 1, 1, 2, 2, 3});
    for (int i = 0; i < inputs; ++i) builder.add_input(builder.pick(builder.style().input_ranks));
    draw_funcs(builder, kinds_of(family));
}

RandomPipeline finish(PipelineBuilder &builder, uint64_t seed, Family family) {
    RandomPipeline result;
    result.name = "seed " + std::to_string(seed);
    result.outputs = choose_outputs(builder);
    if (has_tricky(family)) {
        result.by_hand = draw_hand_schedules(builder);
        draw_layouts(builder, result.outputs);
    }
    result.inline_only = builder.inline_only;
    result.inputs = builder.inputs;
    result.scalars = builder.scalars;
    result.features = builder.features;
    result.uses_doubles = builder.style().wide_types && uses_doubles(builder);
    set_estimates(result);
    describe(result);
    return result;
}

// Returns how often the definitions of a Func are evaluated over its nominal region. Each
// evaluation counts as one, whatever it costs.
int64_t evaluations(const Value &value) {
    int64_t total = value.points();
    for (int update = 0; update < value.func.num_update_definitions(); ++update) {
        int64_t points = 1;
        const auto &definition = value.func.function().update(update);
        for (const auto &rvar : definition.schedule().rvars()) {
            if (const auto extent = Halide::Internal::as_const_int(rvar.extent)) points *= *extent;
        }
        for (size_t d = 0; d < value.dims.size(); ++d) {
            const auto *var = definition.args()[d].as<Halide::Internal::Variable>();
            if (var && !var->reduction_domain.defined()) points *= value.dims[d].nominal.extent();
        }
        total += points;
    }
    return total;
}

struct WorkRange {
    int64_t least, most;  // total evaluations
};

WorkRange range_of(Work work) {
    if (work == Work::small) return {500'000, 30'000'000};
    return {20'000'000, 1'000'000'000};
}

}  // namespace

RandomPipeline make_random_pipeline(uint64_t seed, bool wide_types, Family family) {
    Style style = family == Family::tables ? kLongRows : kFuzzing;
    style.wide_types = wide_types;
    PipelineBuilder builder(Hasher(seed).value(), style);
    fill(builder, family);
    return finish(builder, seed, family);
}

RandomPipeline make_timed_pipeline(uint64_t seed, Work work) {
    const WorkRange range = range_of(work);
    for (uint64_t draw = 0;; ++draw) {
        PipelineBuilder builder(Hasher().add(seed).add(draw).value(),
                                work == Work::small ? kSmall : kLarge);
        fill(builder, Family::usual);
        int64_t total = 0;
        for (const Value *value : builder.values()) {
            if (value->input < 0) total += evaluations(*value);
        }
        if (total >= range.least && total <= range.most)
            return finish(builder, seed, Family::usual);
    }
}

}  // namespace autoschedule_gpu::random_pipelines
