#include "compare/explain/explained.h"

#include <algorithm>
#include <utility>

#include "core/json/json.h"
#include "present/text.h"

namespace autoschedule_gpu {

namespace {

// Null becomes an empty text.
std::string text_of(const Json &value) {
    if (value.is_null()) return "";
    return clean_text(value.is_string() ? value.get<std::string>() : value.dump());
}

template <typename T>
std::optional<T> maybe(const Json &value) {
    return value.is_null() ? std::nullopt : std::optional<T>(value.get<T>());
}

std::vector<std::string> texts_of(const Json &list) {
    std::vector<std::string> texts;
    for (const Json &item : list) texts.push_back(text_of(item));
    return texts;
}

ExplainedLoops loops_of(const Json &tree) {
    ExplainedLoops result{.stage = text_of(tree.at("stage")),
                          .level = text_of(tree.at("level")),
                          .memory = text_of(tree.at("memory")),
                          .in_loop_of = text_of(tree.at("in_loop_of"))};
    for (const Json &loop : tree.at("loops")) {
        result.loops.push_back({text_of(loop.at("name")), maybe<int64_t>(loop.at("extent")),
                                loop.at("written_out").get<int64_t>()});
    }
    for (const Json &child : tree.at("body")) result.body.push_back(loops_of(child));
    return result;
}

ExplainedBuffer buffer_of(const Json &buffer) {
    return {text_of(buffer.at("func")),
            text_of(buffer.at("access")),
            text_of(buffer.at("memory")),
            buffer.at("bytes").get<double>(),
            buffer.at("bytes_of_block").get<double>(),
            buffer.at("dram").get<bool>()};
}

ExplainedKernel kernel_of(const Json &kernel) {
    ExplainedKernel result{
        .stage = text_of(kernel.at("stage")),
        .host_reason = text_of(kernel.at("host_reason")),
        .bound_by = text_of(kernel.at("bound_by")),
        .on_host = kernel.at("on_host").get<bool>(),
        .stages = texts_of(kernel.at("stages")),
        .inlined = texts_of(kernel.at("inlined")),
        .predicted_us = kernel.at("predicted_us").get<double>(),
        .blocks = kernel.at("blocks").get<double>(),
        .threads = kernel.at("threads_per_block").get<double>(),
        .shared_bytes = kernel.at("shared_bytes_per_block").get<double>(),
        .registers = kernel.at("registers_estimated").get<double>(),
        .spills = kernel.at("spills_estimated").get<double>(),
        .global_bytes_read = kernel.at("global_bytes_read").get<double>(),
        .dram_bytes_read = kernel.at("dram_bytes_read").get<double>(),
        .dram_bytes_written = kernel.at("dram_bytes_written").get<double>(),
        .transaction_load_bytes = kernel.at("transaction_load_bytes").get<double>(),
        .transaction_store_bytes = kernel.at("transaction_store_bytes").get<double>()};
    for (const auto &[resource, us] : kernel.at("terms_us").items()) {
        result.terms.push_back({resource, us.get<double>()});
    }
    if (const Json &found = kernel.at("occupancy"); !found.is_null()) {
        result.occupancy = {text_of(found.at("limit")), found.at("blocks_per_sm").get<int64_t>(),
                            found.at("warps_per_sm").get<int64_t>(),
                            found.at("most_warps_per_sm").get<int64_t>()};
    }
    for (const Json &buffer : kernel.at("buffers")) result.buffers.push_back(buffer_of(buffer));
    return result;
}

void add_stages(const ExplainedLoops &tree, std::vector<std::string> &stages) {
    if (std::ranges::find(stages, tree.stage) == stages.end()) stages.push_back(tree.stage);
    for (const ExplainedLoops &child : tree.body) add_stages(child, stages);
}

// Kernels with their loops; of a schedule that has no predictions, what its loops tell.
std::vector<ExplainedKernel> kernels_of(const Json &report) {
    std::vector<ExplainedKernel> kernels;
    const Json &predictions = report.at("predictions");
    for (const Json &kernel : predictions) kernels.push_back(kernel_of(kernel));
    for (const Json &one : report.at("loops")) {
        const ExplainedLoops tree = loops_of(one);
        const auto has_it = [&](const ExplainedKernel &kernel) {
            return std::ranges::count(kernel.stages, tree.stage) > 0;
        };
        auto kernel = std::ranges::find_if(kernels, has_it);
        if (kernel == kernels.end()) {
            kernels.push_back({.stage = tree.stage});
            kernel = kernels.end() - 1;
            add_stages(tree, kernel->stages);
        }
        kernel->loops.push_back(tree);
    }
    return kernels;
}

// "24 x 80": dimensions of one are left out.
std::string grid_of(const Json &extents) {
    std::string text;
    for (const Json &extent : extents) {
        if (extent.is_null()) return "not known before it runs";
        if (extent == 1) continue;
        text += (text.empty() ? "" : " x ") + extent.dump();
    }
    return text.empty() ? "1" : text;
}

ExplainedLaunch launch_of(const Json &launch) {
    return {text_of(launch.at("name")),
            grid_of(launch.at("blocks")),
            grid_of(launch.at("threads")),
            maybe<int64_t>(launch.at("shared_bytes")),
            maybe<int64_t>(launch.at("code_values")),
            maybe<int64_t>(launch.at("live_words")),
            maybe<int64_t>(launch.at("registers")),
            maybe<int64_t>(launch.at("spill_bytes"))};
}

ExplainedFunc func_of(const Json &func) {
    return {text_of(func.at("name")),   text_of(func.at("kind")),
            text_of(func.at("place")),  texts_of(func.at("types")),
            texts_of(func.at("reads")), func.at("extents").get<std::vector<int64_t>>()};
}

ExplainedDecision decision_of(const Json &decision) {
    ExplainedDecision result{.name = text_of(decision.at("name")),
                             .kind = text_of(decision.at("kind")),
                             .value = text_of(decision.at("value"))};
    for (const Json &other : decision.at("others")) {
        result.others.push_back({text_of(other.at("value")), text_of(other.at("refused")),
                                 maybe<double>(other.at("predicted_us"))});
    }
    return result;
}

ExplainedSearch search_of(const Json &search) {
    ExplainedSearch result{.stop = text_of(search.at("stop").at("text")),
                           .is_complete = search.at("stop").at("reason") == "completed",
                           .seconds = search.at("seconds").get<double>(),
                           .passes = search.at("passes").get<uint64_t>(),
                           .enumerated = search.at("states_enumerated").get<uint64_t>(),
                           .rejected = search.at("states_rejected").get<uint64_t>(),
                           .scored = search.at("states_scored").get<uint64_t>()};
    for (const Json &part : search.at("parts")) {
        result.parts.push_back({text_of(part.at("attempt")), text_of(part.at("name")),
                                part.at("seconds").get<double>(), part.at("states").get<uint64_t>(),
                                maybe<double>(part.at("cost_before_us")),
                                maybe<double>(part.at("cost_after_us"))});
    }
    for (const auto &[rule, count] : search.at("rejections").items()) {
        if (count.get<uint64_t>() > 0) result.rejections.emplace_back(rule, count.get<uint64_t>());
    }
    std::ranges::stable_sort(result.rejections, std::ranges::greater(),
                             &std::pair<std::string, uint64_t>::second);
    return result;
}

Explained explained_of(const Json &report) {
    Explained result{.gpu = text_of(report.at("gpu")),
                     .target = text_of(report.at("target")),
                     .model = text_of(report.at("model")),
                     .chosen = text_of(report.at("chosen")),
                     .pipeline = text_of(report.at("pipeline").at("hash")),
                     .predicted_us = maybe<double>(report.at("predicted_us")),
                     .total_seconds = report.at("total_seconds").get<double>(),
                     .was_tried = report.at("trials").at("chosen_was_tried").get<bool>(),
                     .kernels = kernels_of(report)};
    for (const Json &launch : report.at("kernels")) result.launches.push_back(launch_of(launch));
    for (const Json &func : report.at("funcs")) result.funcs.push_back(func_of(func));
    if (const Json &priced = report.at("alternatives"); !priced.is_null()) {
        result.decided_us = priced.at("predicted_us").get<double>();
        for (const Json &one : priced.at("decisions")) {
            result.decisions.push_back(decision_of(one));
        }
    }
    if (const Json &search = report.at("search"); !search.is_null()) {
        result.search = search_of(search);
    }
    for (const Json &trial : report.at("trial_lowerings_refused")) {
        result.refused.emplace_back(text_of(trial.at("kind")), text_of(trial.at("error")));
    }
    for (const auto &[name, value] : report.at("parameters").items()) {
        result.parameters.emplace(name, text_of(value));
    }
    return result;
}

}  // namespace

const ExplainedChoice *ExplainedDecision::second() const {
    const ExplainedChoice *best = nullptr;
    for (const ExplainedChoice &other : others) {
        if (!other.predicted_us) continue;
        if (best == nullptr || *other.predicted_us < *best->predicted_us) best = &other;
    }
    return best;
}

const ExplainedFunc *Explained::func(std::string_view name) const {
    const auto found = std::ranges::find(funcs, name, &ExplainedFunc::name);
    return found == funcs.end() ? nullptr : &*found;
}

std::string Explained::name() const {
    std::string names;
    for (const ExplainedFunc &func : funcs) {
        if (func.kind == "output") names += (names.empty() ? "" : ", ") + func.name;
    }
    return names;
}

Result<Explained> read_explained(std::string_view text) {
    const Json report = parse_loosely(text);
    if (!report.is_object() || report.value("format", Json()) != "autoschedule_gpu.report") {
        return Error{
            "expected a report of the GPU autoscheduler (autoscheduler.report=FILE), found "
            "something else"};
    }
    return read_fields<Explained>(
        report,
        "a field of the report is missing or of another type, or an older plugin wrote it: ",
        explained_of);
}

}  // namespace autoschedule_gpu
