#include "halide/read/read_pipeline.h"

#include <algorithm>

#include "core/dag/scans.h"
#include "halide/read/c_arithmetic.h"
#include "halide/read/fit_around_users.h"
#include "halide/read/host_neighbours.h"
#include "halide/read/lost_clamps.h"
#include "halide/read/read_atomics.h"
#include "halide/read/read_branching.h"
#include "halide/read/read_ends.h"
#include "halide/read/read_needed.h"
#include "halide/read/read_nodes.h"
#include "halide/read/read_ops.h"
#include "halide/read/read_partials.h"
#include "halide/read/read_period.h"
#include "halide/read/target_api.h"

namespace autoschedule_gpu::reading {
namespace {

bool is_bounded(const HI::Function &func, int dim) {
    const auto &bounds = func.schedule().bounds();
    return std::any_of(bounds.begin(), bounds.end(),
                       [&](const HI::Bound &bound) { return bound.var == func.args()[dim]; });
}

std::vector<HI::Function> output_functions(const Halide::Pipeline &pipeline) {
    std::vector<HI::Function> outputs;
    if (!pipeline.defined()) return outputs;
    for (const Halide::Func &output : pipeline.outputs()) outputs.push_back(output.function());
    return outputs;
}

std::string joined(const std::set<std::string> &sentences) {
    std::string text;
    for (const std::string &sentence : sentences) text += (text.empty() ? "" : "; ") + sentence;
    return text;
}

std::string name_of(const StageSource &stage) {
    const std::string &name = stage.func.name();
    return stage.index == 0 ? name : name + ".update(" + std::to_string(stage.index - 1) + ")";
}

}  // namespace

PipelineReader::PipelineReader(const Halide::Pipeline &pipeline, const Halide::Target &target,
                               const GivenSizes &sizes)
    : target_(target), outputs_(output_functions(pipeline)), estimates_(outputs_, sizes) {}

Result<Dag> PipelineReader::read(Respect respect, const std::set<std::string> &ours) {
    if (outputs_.empty()) return Error{"the pipeline has no outputs"};
    env_ = HI::build_environment(outputs_);
    order_ = HI::topological_order(outputs_, env_);
    for (const std::string &name : order_) {
        halide_indices_.emplace(name, static_cast<int>(halide_indices_.size()));
    }
    theirs_ = user_schedules(outputs_, env_);
    for (const std::string &name : ours) theirs_.erase(name);
    if (respect == Respect::refuse) {
        const std::string scheduled = refusal(theirs_, order_);
        if (!scheduled.empty()) return Error{scheduled};
    }
    read_wrappers();
    const std::string not_kept = conflict(theirs_, order_, target_);
    if (!not_kept.empty()) return Error{not_kept};
    const std::string no_estimate = missing_output_estimates();
    if (!no_estimate.empty()) return Error{no_estimate};
    note_empty_outputs();
    values_ = value_bounds_of_indices(order_, env_);
    lose_clamps_ = lose_clamps_inline(order_, env_);
    collect();
    for (size_t f = dag_.funcs.size(); f-- > 0;) {
        const std::string error = propagate(FuncId(f));
        if (!error.empty()) return Error{error};
    }
    if (!gaps_.missing.empty()) return Error{joined(gaps_.missing)};
    note_zero_divisors();
    dag_.assumed.assign(gaps_.assumed.begin(), gaps_.assumed.end());
    assemble();
    if (!theirs_.empty()) {
        const std::string error = fit_around_users({theirs_, wrappers_, order_, ids_}, dag_);
        if (!error.empty()) return Error{error};
    }
    return std::move(dag_);
}

// Pipeline::get_func does not give wrappers, and so they come after all that it gives.
void PipelineReader::read_wrappers() {
    wrappers_ = user_wrappers(env_, order_);
    dag_.has_user_wrappers = !wrappers_.empty();
    if (wrappers_.empty()) return;
    call_wrappers(outputs_, env_);
    order_ = HI::topological_order(outputs_, env_);
    for (const std::string &name : order_) {
        halide_indices_.emplace(name, static_cast<int>(halide_indices_.size()));
    }
}

std::string PipelineReader::missing_output_estimates() const {
    std::string text;
    for (const HI::Function &output : outputs_) {
        for (int d = 0; d < output.dimensions(); d++) {
            if (estimates_.dimension(output, d)) continue;
            const std::string &var = output.args()[d];
            text += (text.empty() ? "" : "; ");
            text += "output " + output.name() + " needs an estimate for dimension " +
                    std::to_string(d) + " (" + var + "): " + output.name() + ".set_estimate(" +
                    var + ", min, extent)";
        }
    }
    return text;
}

// An output is read as if it had a point at least.
void PipelineReader::note_empty_outputs() {
    for (const HI::Function &output : outputs_) {
        for (int d = 0; d < output.dimensions(); d++) {
            const auto range = estimates_.dimension(output, d);
            if (!range || !range->empty()) continue;
            gaps_.assumed.insert(
                "output " + output.name() + " is empty by its estimate for " + "dimension " +
                std::to_string(d) + " (" + output.args()[d] +
                "), so that its schedule is for next to nothing: " + output.name() +
                ".set_estimate(" + output.args()[d] + ", min, extent) says what to schedule for");
        }
    }
}

// What divides by 0 need not be wrong: its reader may choose something else then.
void PipelineReader::note_zero_divisors() {
    const std::optional<GpuApi> api = gpu_api(target_);
    if (!api || has(target_, capabilities(*api).unsigned_by_zero)) return;
    std::string names;
    for (size_t f = 0; f < dag_.funcs.size(); f++) {
        const bool may_divide = std::ranges::any_of(drafts_[f].stages, [](const StageDraft &stage) {
            return may_divide_unsigned_by_zero(stage.graph);
        });
        if (!may_divide || dag_.funcs[f].on_host()) continue;
        names += (names.empty() ? "" : ", ") + dag_.funcs[f].name;
    }
    if (names.empty()) return;
    gaps_.assumed.insert("no unsigned divisor is taken to be 0 in " + names +
                         ", where kernels for " + std::string(capabilities(*api).title) +
                         " compute anything, instead of Halide's 0: max(divisor, 1) divides by "
                         "no 0");
}

bool PipelineReader::is_output(const std::string &name) const {
    return std::any_of(outputs_.begin(), outputs_.end(),
                       [&](const HI::Function &output) { return output.name() == name; });
}

FuncId PipelineReader::id_of(const std::string &key) const {
    return ids_.at(key);
}

// collect

// Returns whether the predicate depends on each of the loops.
static std::vector<bool> loops_of_predicate(const StageSource &source) {
    std::vector<bool> result;
    if (!source.predicate.defined()) return result;
    for (size_t i = 0; i < source.dims.size(); ++i) {
        result.push_back(HI::expr_uses_var(source.predicate, loop_variable(i)));
    }
    return result;
}

void PipelineReader::collect() {
    std::vector<FuncDraft> funcs(order_.size());
    for (size_t f = 0; f < order_.size(); f++) {
        const HI::Function &func = env_.at(order_[f]);
        for (int s = 0; s <= static_cast<int>(func.updates().size()); s++) {
            collect_stage(func, s, funcs[f]);
        }
    }
    add_images();
    for (FuncDraft &draft : funcs) drafts_.push_back(std::move(draft));
    for (const std::string &name : order_) add_func(env_.at(name));
}

void PipelineReader::collect_stage(const HI::Function &func, int index, FuncDraft &draft) {
    StageDraft stage;
    const auto scheduled = theirs_.find(func.name());
    if (scheduled != theirs_.end() && scheduled->second.has_loops) {
        const std::vector<HI::Dim> loops = unscheduled_loops(func, index);
        stage.source = stage_source(func, index, &loops);
    } else {
        stage.source = stage_source(func, index);
    }
    stage.graph = stage_graph(stage.source);
    stage.loads = loads_of(stage.graph, stage.source.dims.size(), estimates_);
    find_images(stage.source, images_);
    draft.stages.push_back(std::move(stage));
}

void PipelineReader::add_images() {
    for (const ImageSource &image : images_) {
        ids_[image_key(image.name)] = FuncId(dag_.funcs.size());
        Func func;
        func.name = image.name;
        func.kind = Func::Kind::input_image;
        func.values = {scalar_type(image.type())};
        for (int d = 0; d < image.dimensions(); d++) {
            func.dims.push_back({"_" + std::to_string(d), {}, 1});
        }
        FuncDraft draft;
        draft.required.resize(func.dims.size());
        drafts_.push_back(std::move(draft));
        dag_.funcs.push_back(std::move(func));
    }
}

// Whether users look at each of its loads or stores, or at all there are, by a feature of the
// target: Halide then calls functions of the host for each.
static bool is_traced(const HI::Function &function, const Halide::Target &target) {
    return function.is_tracing_loads() || function.is_tracing_stores() ||
           target.features_any_of({Halide::Target::TraceLoads, Halide::Target::TraceStores});
}

// Whether users look at what is realized of it: around its loops Halide calls functions of the
// host, so that it may have kernels of its own, but no place in another's.
static bool is_watched(const HI::Function &function) {
    return function.is_tracing_realizations() || !function.debug_file().empty();
}

// What is watched has a place of its own, at root.
static void keep_at_root(Func &func) {
    func.can_inline = false;
    if (func.ours == Func::Ours::all) func.ours = Func::Ours::loops;
}

static bool is_aligned_by_user(const HI::Function &function) {
    const auto &storage = function.schedule().storage_dims();
    return std::any_of(storage.begin(), storage.end(),
                       [](const HI::StorageDim &dim) { return dim.alignment.defined(); });
}

void PipelineReader::add_func(const HI::Function &function) {
    const FuncId id(dag_.funcs.size());
    ids_[function.name()] = id;
    FuncDraft &draft = drafts_[id.index()];
    Func func;
    func.name = function.name();
    func.kind = is_output(func.name) ? Func::Kind::output : Func::Kind::internal;
    func.halide_index = halide_indices_.at(func.name);
    for (const std::string &arg : function.args()) func.dims.push_back({arg, {}, 1});
    for (const Halide::Type &type : function.output_types()) {
        func.values.push_back(scalar_type(type));
    }
    func.host_reason = host_reason(function, draft);
    func.is_extern = function.has_extern_definition();
    func.is_async = function.schedule().async();
    func.in_order = is_traced(function, target_) ||
                    std::ranges::any_of(draft.stages, [](const StageDraft &stage) {
                        return must_be_in_order(stage.graph);
                    });
    func.users_alignment = is_aligned_by_user(function);
    func.can_inline = function.can_be_inlined() && !func.is_output() && !func.on_host();
    const auto scheduled = theirs_.find(func.name);
    if (scheduled != theirs_.end()) this->respect(scheduled->second, func);
    if (is_watched(function) && !func.is_output()) keep_at_root(func);
    // What its user has placed is stored.
    for (const Halide::Type &type : function.output_types()) {
        const std::string lack = lack_of_stored(type, target_);
        if (lack.empty()) continue;
        draft.unreadable = !func.can_inline;
        func.must_inline = func.can_inline;
        if (draft.unreadable && !func.on_host()) func.host_reason = "stores " + lack;
    }
    draft.required.resize(func.dims.size());
    dag_.funcs.push_back(std::move(func));
}

void PipelineReader::respect(const UserSchedule &theirs, Func &func) const {
    func.user_directives = theirs.directives;
    func.ours = theirs.ours();
    if (func.ours == Func::Ours::all) return;
    func.can_inline = false;
    if (func.ours == Func::Ours::nothing && !func.on_host()) {
        func.host_reason = "is scheduled by hand";
    }
}

std::string PipelineReader::host_reason(const HI::Function &func, const FuncDraft &draft) const {
    if (func.has_extern_definition()) return "is the extern stage " + func.extern_function_name();
    if (func.schedule().async()) return "is async";
    if (func.schedule().memoized()) return "is memoized";
    if (is_traced(func, target_)) return "is traced";
    for (const Halide::Type &type : func.output_types()) {
        const std::string problem = unsupported_type(type, target_);
        if (!problem.empty()) return "stores " + problem;
    }
    for (const StageDraft &stage : draft.stages) {
        const std::string reason = host_reason_of(stage.graph, target_);
        if (!reason.empty()) return reason;
    }
    return "";
}

// propagate

std::string PipelineReader::propagate(FuncId id) {
    if (dag_.func(id).is_input()) {
        infer_image(id);
    } else {
        const std::string error = infer_region(id);
        if (!error.empty()) return error;
    }
    FuncDraft &draft = drafts_[id.index()];
    const Func &func = dag_.func(id);
    std::vector<Interval> whole;
    for (const Dimension &dim : func.dims) whole.push_back(dim.estimate);
    for (EdgeDraft *edge : draft.with_holes) fill_holes(edge->box, whole);
    for (StageDraft &stage : draft.stages) {
        infer_loops(id, stage);
        read_edges(id, stage);
    }
    return "";
}

std::string PipelineReader::infer_region(FuncId id) {
    Func &func = dag_.funcs[id.index()];
    FuncDraft &draft = drafts_[id.index()];
    const HI::Function &function = draft.stages[0].source.func;
    if (!draft.unbounded_reader.empty()) {
        if (!func.can_inline) return draft.unbounded_reader;
        func.must_inline = true;
    }
    if (lose_clamps_.contains(func.name) && !func.must_inline) func.can_inline = false;
    watch_by_target(func);
    for (size_t d = 0; d < func.dims.size(); d++) {
        const bool use_estimate =
            func.is_output() || !draft.extern_reader.empty() || draft.required[d].empty();
        const auto estimate = estimates_.dimension(function, static_cast<int>(d));
        func.dims[d].fixed =
            func.is_output() && estimates_.fixed(function, static_cast<int>(d)).has_value();
        func.dims[d].constant_min =
            func.is_output() && estimates_.has_constant_min(function, static_cast<int>(d));
        func.dims[d].promised = func.can_inline && is_bounded(function, static_cast<int>(d));
        if (use_estimate && estimate) draft.required[d].include(*estimate);
        if (!draft.required[d].empty()) continue;
        if (!draft.extern_reader.empty()) {
            gaps_.missing.insert("Func " + func.name + " is read by the extern stage " +
                                 draft.extern_reader +
                                 ", whose needs Halide can't tell: " + func.name +
                                 ".set_estimate(" + func.dims[d].name + ", min, extent)");
        }
        draft.required[d] = {0, 0};
    }
    std::string error;
    func.computed = computed_program(id, draft, error);
    if (!error.empty()) return error;
    std::vector<Interval> computed(func.dims.size());
    dag_.regions.evaluate(func.computed, draft.required, computed);
    for (size_t d = 0; d < func.dims.size(); d++) func.dims[d].estimate = computed[d];
    if (func.is_output()) {
        set_output_strides(function, estimates_, func.dims);
        for (const Halide::Parameter &buffer : function.output_buffers()) {
            func.alignment_bytes = buffer.host_alignment();
        }
    } else {
        set_internal_strides(function, estimates_, func.dims);
    }
    return "";
}

// The target may trace the realizations of all Funcs. What must be inline has none.
void PipelineReader::watch_by_target(Func &func) const {
    if (!target_.has_feature(Halide::Target::TraceRealizations)) return;
    if (func.is_output() || func.must_inline || wrappers_.contains(func.name)) return;
    keep_at_root(func);
}

RegionProgramId PipelineReader::computed_program(FuncId id, const FuncDraft &draft,
                                                 std::string &error) {
    const Func &func = dag_.func(id);
    std::vector<StageSource> sources;
    for (const StageDraft &stage : draft.stages) sources.push_back(stage.source);
    const auto region = computed_region(sources, values_);
    if (!region) return add_identity(dag_.regions, func.dims.size());
    for (size_t d = 0; d < region->size(); d++) {
        if ((*region)[d].is_bounded()) continue;
        error = "the updates of " + func.name +
                " write or read it at an index without a bound in "
                "dimension " +
                std::to_string(d) + " (" + func.dims[d].name + "): clamp() the index";
        return {};
    }
    CompiledBox box = compile_box(*region, estimates_, draft.required,
                                  std::vector(func.dims.size(), false), gaps_);
    std::vector<Interval> whole = draft.required;
    for (size_t h = 0; h < box.holes.size(); h++) {
        whole[box.holes[h]].include(box.hole_estimates[h]);
    }
    fill_holes(box, whole);
    return box.add_to(dag_.regions);
}

void PipelineReader::infer_image(FuncId id) {
    Func &func = dag_.funcs[id.index()];
    FuncDraft &draft = drafts_[id.index()];
    const ImageSource &image = images_[id.index()];
    for (size_t d = 0; d < func.dims.size(); d++) {
        const int dim = static_cast<int>(d);
        Interval &estimate = func.dims[d].estimate;
        estimate = draft.required[d];
        if (image.buffer.defined()) {
            estimate = {image.buffer.dim(dim).min(), image.buffer.dim(dim).max()};
        } else if (const auto given = estimates_.dimension(image.param, dim)) {
            estimate = *given;
        } else if (estimate.empty()) {
            gaps_.missing.insert("image " + image.name + " needs an estimate for dimension " +
                                 std::to_string(dim) + ": " + image.name + ".dim(" +
                                 std::to_string(dim) + ").set_estimate(min, extent)");
        }
    }
    set_image_strides(image, estimates_, func.dims);
    if (image.param.defined()) func.alignment_bytes = image.param.host_alignment();
    func.computed = add_identity(dag_.regions, func.dims.size());
}

// Whether Halide can prove it, be it from the range of a parameter.
static bool is_positive(const Halide::Expr &expr) {
    return HI::is_positive_const(HI::find_constant_bound(expr, HI::Direction::Lower));
}

// Returns true if the expression is the extent of a buffer, which is at least one. Nothing of the
// kind is known of what is computed from an extent.
static bool is_extent_of_buffer(const Halide::Expr &expr) {
    const auto *variable = expr.as<HI::Variable>();
    return variable != nullptr && variable->param.defined() && variable->param.is_buffer() &&
           variable->name.find(".extent.") != std::string::npos;
}

void PipelineReader::infer_loops(FuncId id, StageDraft &stage) {
    const Func &func = dag_.func(id);
    for (const HI::Dim &dim : stage.source.dims) {
        Loop loop;
        loop.name = dim.var;
        loop.parallel = dim.is_pure();
        Interval range;
        for (size_t d = 0; d < func.dims.size(); d++) {
            if (dim.is_rvar() || func.dims[d].name != dim.var) continue;
            loop.dim = static_cast<int>(d);
            range = func.dims[d].estimate;
        }
        for (const HI::ReductionVariable &rvar : stage.source.rvars) {
            if (!dim.is_rvar() || rvar.var != dim.var) continue;
            const Halide::Expr min = HI::simplify(estimates_.with_facts(prepared(rvar.min)));
            const Halide::Expr extent = HI::simplify(estimates_.with_facts(prepared(rvar.extent)));
            loop.kind = Loop::Kind::reduction;
            loop.constant = HI::as_const_int(min) && HI::as_const_int(extent);
            loop.may_be_empty = !is_positive(extent) && !is_extent_of_buffer(extent);
            const auto lo = estimates_.integer(min, gaps_);
            const auto count = estimates_.integer(extent, gaps_);
            range = Interval::from_extent(lo.value_or(0), count.value_or(1));
            loop.range = range;
        }
        stage.loops.push_back(std::move(loop));
        stage.ranges.push_back(range);
    }
}

void PipelineReader::read_edges(FuncId id, StageDraft &stage) {
    const HI::Function &func = stage.source.func;
    if (func.has_extern_definition()) {
        read_extern_edges(stage);
        return;
    }
    const auto boxes = required_boxes(stage.source, values_);
    for (const KeyedLoad &load : stage.loads) {
        const FuncId producer = id_of(load.producer);
        if (producer == id || stage.edges.count(producer) > 0) continue;
        const auto box = boxes.find(load.producer);
        // Halide may prove away a read that is still in the text; there is no box for it then.
        add_edge(stage, load.producer,
                 box == boxes.end() ? std::vector<HI::Interval>{} : box->second.bounds);
        const bool is_limited = box != boxes.end() && is_limited_by_other_loops(box->second);
        stage.edges.at(producer).pointwise =
            !is_limited && reads_pointwise(stage.source, stage.graph, load.producer);
    }
}

void PipelineReader::read_extern_edges(StageDraft &stage) {
    const HI::Function &func = stage.source.func;
    const Halide::Expr proxy = func.extern_definition_proxy_expr();
    std::map<std::string, HI::Box> boxes;
    if (proxy.defined()) boxes = proxy_boxes(stage.source, proxy, values_);
    std::vector<std::string> keys;
    for (const Halide::ExternFuncArgument &arg : func.extern_arguments()) {
        if (arg.is_func()) keys.push_back(HI::Function(arg.func).name());
        if (arg.is_buffer()) keys.push_back(image_key(arg.buffer.name()));
        if (arg.is_image_param()) keys.push_back(image_key(arg.image_param.name()));
        if (!arg.is_expr()) continue;
        for (const auto &[key, box] : proxy_boxes(stage.source, arg.expr, values_)) {
            HI::merge_boxes(boxes[key], box);
            keys.push_back(key);
        }
    }
    for (const std::string &key : keys) {
        const FuncId producer = id_of(key);
        if (stage.edges.count(producer) > 0) continue;
        Func &read = dag_.funcs[producer.index()];
        read.can_inline = false;
        // No kernel can load what it stores, which is why it was to be inlined.
        drafts_[producer.index()].unreadable |= read.must_inline;
        read.must_inline = false;
        const auto box = boxes.find(key);
        if (box == boxes.end()) guess_extern_needs(stage, producer);
        add_edge(stage, key, box == boxes.end() ? std::vector<HI::Interval>{} : box->second.bounds);
        KeyedLoad load{key,
                       read.values[0].bytes(),
                       AccessMatrix(read.dims.size(), stage.loops.size()),
                       false,
                       false,
                       {nullptr}};
        for (size_t d = 0; d < load.access.dims(); d++) {
            for (size_t k = 0; k < load.access.loops(); k++) load.access.at(d, k) = {0, false};
        }
        stage.loads.push_back(std::move(load));
    }
}

void PipelineReader::guess_extern_needs(const StageDraft &stage, FuncId producer) {
    const Func &read = dag_.func(producer);
    FuncDraft &draft = drafts_[producer.index()];
    draft.extern_reader = stage.source.func.name();
    // The usual extern stage works point by point. That is only a guess, so an estimate is
    // preferred.
    if (read.dims.size() != stage.ranges.size()) return;
    for (size_t d = 0; d < read.dims.size(); d++) {
        const bool given =
            !read.is_input() && estimates_.dimension(env_.at(read.name), static_cast<int>(d));
        if (!given) draft.required[d].include(stage.ranges[d]);
    }
}

static bool unbounded(const Interval &range) {
    return !range.empty() && (range.min <= -kRegionLimit || range.max >= kRegionLimit);
}

void PipelineReader::add_edge(StageDraft &stage, const std::string &key,
                              const std::vector<HI::Interval> &box) {
    const FuncId producer = id_of(key);
    FuncDraft &draft = drafts_[producer.index()];
    const Func &read = dag_.func(producer);
    EdgeDraft edge(stage.ranges.size());
    std::vector<bool> fixed;
    for (const Loop &loop : stage.loops) fixed.push_back(loop.kind == Loop::Kind::reduction);
    edge.box = compile_box(box, estimates_, stage.ranges, fixed, gaps_);
    const std::optional<ImageSource> image =
        read.is_input() ? images_.at(producer.index()) : read_by_points_.of(env_.at(read.name));
    if (image) {
        find_ends_within(*image, box, estimates_, edge.box.dims);
    } else {
        find_ends_within_mentioned(box, estimates_, edge.box.dims);
    }
    while (edge.box.dims.size() < read.dims.size()) {
        edge.box.holes.push_back(edge.box.dims.size());
        edge.box.hole_estimates.push_back({});
        edge.box.dims.push_back({});
        edge.box.widest.reset();
    }
    std::vector<Interval> region(read.dims.size());
    RegionCode scratch;
    scratch.evaluate(edge.box.add_to(scratch), stage.ranges, region);
    for (size_t d = 0; d < region.size() && read.is_input(); d++) {
        // Halide may see more when it lowers the pipeline. Till then, all of the image is needed.
        if (!unbounded(region[d])) continue;
        edge.box.holes.push_back(d);
        edge.box.hole_estimates.push_back({});
    }
    for (size_t h = 0; h < edge.box.holes.size(); h++) {
        region[edge.box.holes[h]] = edge.box.hole_estimates[h];
    }
    for (size_t d = 0; d < region.size(); d++) {
        draft.required[d].include(region[d]);
        if (!unbounded(region[d]) || !draft.unbounded_reader.empty()) continue;
        draft.unbounded_reader = name_of(stage.source) + " reads " + read.name +
                                 " at an index without a bound in dimension " + std::to_string(d) +
                                 " (" + read.dims[d].name +
                                 "): clamp() the index to the range that it can have";
    }
    const auto [it, added] = stage.edges.emplace(producer, std::move(edge));
    if (!it->second.box.holes.empty()) draft.with_holes.push_back(&it->second);
}

// assemble

// Returns Load::untaken.
static std::vector<double> untaken_sites(const KeyedLoad &load, const Choices &choices) {
    if (choices.choices().empty()) return {};
    std::vector<double> untaken(choices.known_sets());
    for (size_t known = 0; known < untaken.size(); ++known) {
        for (const HI::IRNode *site : load.sites) untaken[known] += 1 - choices.share(site, known);
    }
    return untaken;
}

// Returns the ranges of a stage's loops.
static std::vector<Interval> estimated_ranges(const Func &func, const Stage &stage) {
    std::vector<Interval> ranges;
    for (const Loop &loop : stage.loops) {
        ranges.push_back(loop.dim >= 0 ? func.dims[loop.dim].estimate : loop.range);
    }
    return ranges;
}

void PipelineReader::assemble() {
    for (size_t f = 0; f < drafts_.size(); f++) {
        for (StageDraft &draft : drafts_[f].stages) add_stage(FuncId(f), draft);
    }
    link_consumers(dag_);
    find_constant_dimensions(dag_);
    find_widest_ranges(dag_);
    find_aligned_tiles(dag_);
    find_aligned_rows(dag_);
    find_rows_of_outputs(dag_);
    find_fours(dag_);
    find_reads_ahead(dag_);
    const std::optional<GpuApi> api = gpu_api(target_);
    dag_.wide_vectors = !api || has(target_, capabilities(*api).wide_vectors);
    if (api && has(target_, capabilities(*api).long_vectors)) dag_.most_vector_lanes = 16;
    dag_.large_buffers = target_.has_feature(Halide::Target::LargeBuffers);
    find_images_without_rows();
    std::vector<SourceFunc> sources;
    for (const FuncDraft &draft : drafts_) {
        SourceFunc &source = sources.emplace_back(SourceFunc{.unreadable = draft.unreadable});
        if (!draft.stages.empty()) source.function = draft.stages[0].source.func;
    }
    keep_neighbours_on_host(sources, order_, target_, dag_);
}

void PipelineReader::add_stage(FuncId func, StageDraft &draft) {
    const StageId id(dag_.stages.size());
    Stage stage;
    stage.func = func;
    stage.index = draft.source.index;
    stage.loops = std::move(draft.loops);
    const Choices choices(draft.graph, estimated_ranges(dag_.func(func), stage));
    const Ops ops = ops_of(draft.source, draft.graph, choices);
    stage.ops = ops.computed;
    stage.spared_ops = ops.spared;
    stage.untaken_ops = ops.untaken;
    stage.shared_ops = ops.shared;
    stage.choices = choices.choices();
    stage.branching = branching_of(draft.graph);
    stage.nodes = nodes_of(draft.graph);
    stage.period = period_of(draft.graph);
    stage.store = store_of(draft.source, draft.graph, estimates_);
    stage.atomics = atomics_of(draft.source, target_, values_);
    stage.partials = partials_of(draft.source, stage.loops, target_);
    stage.is_undefined = is_undefined(draft.source);
    stage.has_predicate = draft.source.predicate.defined();
    stage.predicate_reads = stage.has_predicate && reads_data(draft.source.predicate);
    stage.predicate_loops = loops_of_predicate(draft.source);
    add_loads(draft, choices, stage);
    for (auto &[producer, edge] : draft.edges) {
        stage.edges.push_back(EdgeId(dag_.edges.size()));
        const bool fallback = !edge.box.holes.empty();
        const RegionProgramId region = edge.box.add_to(dag_.regions);
        dag_.edges.push_back({id, producer, region, edge.pointwise, fallback});
    }
    dag_.funcs[func.index()].stages.push_back(id);
    dag_.stages.push_back(std::move(stage));
}

void PipelineReader::add_loads(StageDraft &draft, const Choices &choices, Stage &stage) const {
    for (KeyedLoad &load : draft.loads) {
        const FuncId producer = id_of(load.producer);
        const bool is_own = producer == stage.func;
        stage.loads.push_back({producer, static_cast<int>(load.sites.size()), load.bytes_per_site,
                               std::move(load.access), untaken_sites(load, choices), load.clamped,
                               load.of_sums, is_own ? load.in_place : 0, load.in_tuple});
    }
}

// Of a buffer that is part of the pipeline no schedule can ask where its rows begin, nor of one
// that Halide finds not to be read after all.
void PipelineReader::find_images_without_rows() {
    std::vector<const StageSource *> sources;
    for (const FuncDraft &draft : drafts_) {
        for (const StageDraft &stage : draft.stages) sources.push_back(&stage.source);
    }
    const std::set<std::string> keys = needed(sources, outputs_, estimates_);
    for (const ImageSource &image : images_) {
        const std::string key = image_key(image.name);
        if (image.buffer.defined() || !keys.contains(key)) {
            dag_.funcs[ids_.at(key).index()].aligned_rows = false;
            dag_.funcs[ids_.at(key).index()].alignment_bytes = 1;
        }
    }
}

}  // namespace autoschedule_gpu::reading
