#include "learn/random_pipelines/random_pipeline.h"

#include <algorithm>

#include "learn/random_pipelines/kinds.h"
#include "learn/random_pipelines/pipeline_builder.h"

namespace autoschedule_gpu::random_pipelines {

namespace {

constexpr int kMaxOutputs = 3;

// Values that nobody reads yet: candidates for outputs.
std::vector<Value *> loose_ends(PipelineBuilder &shop) {
    std::vector<Value *> ends;
    for (Value *value : shop.values()) {
        if (value->input < 0 && value->uses == 0) ends.push_back(value);
    }
    return ends;
}

void draw_funcs(PipelineBuilder &shop, const std::vector<Kind> &kinds) {
    int total = 0;
    for (const Kind &kind : kinds) total += kind.weight;
    // Kinds differ in how many Funcs they add: up to 14 or so come of 8.
    const int most = shop.chance(60) ? shop.style().usual_kinds : shop.style().most_kinds;
    const int draws = static_cast<int>(shop.random().between(1, most));
    int made = 0;
    for (int attempt = 0; made < draws && attempt < 60; ++attempt) {
        int ticket = static_cast<int>(shop.random().below(total));
        const Kind *kind = kinds.data();
        while (ticket >= kind->weight) ticket -= kind++->weight;
        if (!kind->make(shop)) continue;
        ++shop.features[kind->name];
        ++made;
    }
    // Kinds that find nothing fit for them may leave the workshop empty.
    if (loose_ends(shop).empty()) kinds.front().make(shop);
}

// Joins loose ends until few enough are left to be outputs.
void join_loose_ends(PipelineBuilder &shop, size_t wanted) {
    for (std::vector<Value *> ends = loose_ends(shop); ends.size() > wanted;
         ends = loose_ends(shop)) {
        std::sort(ends.begin(), ends.end(),
                  [](const Value *a, const Value *b) { return a->rank() > b->rank(); });
        Value *leader = ends[0], *other = ends[1];
        FuncBuilder draft = shop.draft("join", shop.nominal_of(*leader));
        const Term term = shop.read_aligned(draft, *leader);
        const Term stored = shop.store(shop.combine(term, shop.read_aligned(draft, *other)));
        draft.func()(draft.vars()) = stored.expr;
        shop.finish(draft, stored.magnitude, stored.exact);
    }
}

// The part of its nominal region that an output is asked for.
OutputFunc as_output(PipelineBuilder &shop, Value &value) {
    OutputFunc output{value.func, {}, {}};
    for (const ValueDim &dim : value.dims) {
        Span span = dim.nominal;
        const bool shrinkable = dim.touched.extent() <= 0 && !dim.hard;
        if (shrinkable && shop.chance(shop.style().tiny_output_percent)) {
            span.hi = std::min(span.hi, span.lo + shop.pick({0, 1, 2}));
            ++shop.features["tiny_output"];
        } else if (shrinkable && shop.chance(shop.style().cropped_output_percent)) {
            span.lo = static_cast<int>(shop.random().between(span.lo, (span.lo + span.hi) / 2));
        }
        output.region.push_back(span);
        output.growable.push_back(!dim.hard);
    }
    return output;
}

void maybe_bound(PipelineBuilder &shop, OutputFunc &output) {
    if (output.region.empty() || !shop.chance(10)) return;
    const int dim = static_cast<int>(shop.random().below(output.region.size()));
    const Span span = output.region[dim];
    output.func.bound(output.func.args()[dim], span.lo, span.extent());
    output.growable[dim] = false;
    ++shop.features["bound_output"];
}

// A Func that others read becomes an output too. It must then cover all that they may read of it:
// its whole legal region, which has to be finite.
bool add_fed_output(PipelineBuilder &shop, std::vector<OutputFunc> &outputs) {
    for (Value *value : shop.values()) {
        if (value->input >= 0 || value->uses == 0) continue;
        OutputFunc output{value->func, {}, {}};
        bool finite = true;
        for (const ValueDim &dim : value->dims) {
            finite = finite && dim.legal.extent() < 400;
            output.region.push_back(dim.legal);
            output.growable.push_back(!dim.hard);
        }
        if (!finite || !shop.chance(50)) continue;
        outputs.push_back(output);
        ++shop.features["output_feeds_output"];
        return true;
    }
    return false;
}

std::vector<OutputFunc> choose_outputs(PipelineBuilder &shop) {
    const size_t wanted = shop.chance(60) ? 1 : shop.pick({2, 2, kMaxOutputs});
    join_loose_ends(shop, wanted);
    std::vector<OutputFunc> outputs;
    for (Value *value : loose_ends(shop)) {
        outputs.push_back(as_output(shop, *value));
        maybe_bound(shop, outputs.back());
        if (value->rank() == 0) ++shop.features["scalar_output"];
    }
    if (outputs.size() > 1) ++shop.features["several_outputs"];
    if (shop.chance(15)) add_fed_output(shop, outputs);
    return outputs;
}

bool uses_doubles(PipelineBuilder &shop) {
    for (const Value *value : shop.values()) {
        for (Halide::Type type : value->types) {
            if (type == Halide::Float(64)) return true;
        }
    }
    return false;
}

// What fills the workshop, before outputs are chosen.
void fill(PipelineBuilder &shop) {
    const int inputs = shop.pick({1, 1, 1, 2, 2, 3});
    for (int i = 0; i < inputs; ++i) shop.add_input(shop.pick(shop.style().input_ranks));
    draw_funcs(shop, all_kinds());
}

RandomPipeline finish(PipelineBuilder &shop, uint64_t seed) {
    RandomPipeline result;
    result.name = "seed " + std::to_string(seed);
    result.outputs = choose_outputs(shop);
    result.inputs = shop.inputs;
    result.scalars = shop.scalars;
    result.features = shop.features;
    result.uses_doubles = shop.style().wide_types && uses_doubles(shop);
    set_estimates(result);
    describe(result);
    return result;
}

// How often the definitions of a Func are evaluated over its nominal region. Each counts as one,
// whatever it takes.
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
    int64_t least, most;  // evaluations in all
};

WorkRange range_of(Work work) {
    if (work == Work::small) return {500'000, 30'000'000};
    return {20'000'000, 1'000'000'000};
}

}  // namespace

RandomPipeline make_random_pipeline(uint64_t seed, bool wide_types) {
    Style style = kFuzzing;
    style.wide_types = wide_types;
    PipelineBuilder shop(Hasher(seed).value(), style);
    fill(shop);
    return finish(shop, seed);
}

RandomPipeline make_timed_pipeline(uint64_t seed, Work work) {
    const WorkRange range = range_of(work);
    for (uint64_t draw = 0;; ++draw) {
        PipelineBuilder shop(Hasher().add(seed).add(draw).value(),
                             work == Work::small ? kSmall : kLarge);
        fill(shop);
        int64_t total = 0;
        for (const Value *value : shop.values()) {
            if (value->input < 0) total += evaluations(*value);
        }
        if (total >= range.least && total <= range.most) return finish(shop, seed);
    }
}

}  // namespace autoschedule_gpu::random_pipelines
