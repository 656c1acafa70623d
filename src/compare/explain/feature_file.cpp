#include "compare/explain/feature_file.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/json/json.h"
#include "core/support/file.h"
#include "core/support/hex.h"
#include "core/support/statistics.h"
#include "lab/samples/featurization.h"
#include "lab/samples/file_header.h"
#include "lab/samples/log_file.h"
#include "lab/samples/origin.h"
#include "present/table_parts.h"
#include "present/terminal.h"
#include "present/text.h"

namespace autoschedule_gpu {

namespace {

// One feature of several kernels, or of all their stages.
struct FeatureColumn {
    FeatureInfo info;
    std::string_view of;  // "kernel" or "stage"
    std::vector<double> values = {};
};

// Iterates over all features: first those of kernels, then those of stages, in the lists' order.
class FeatureColumns {
public:
    FeatureColumns() {
        for (const FeatureInfo &info : kernel_feature_list()) columns_.push_back({info, "kernel"});
        for (const FeatureInfo &info : stage_feature_list()) columns_.push_back({info, "stage"});
        for (const FeatureInfo &info : algorithm_feature_list())
            columns_.push_back({info, "stage"});
    }

    void add(const FeatureTable &table) {
        const size_t kernel = kernel_feature_list().size(), stage = stage_feature_list().size();
        for (size_t i = 0; i < kernel; ++i) {
            columns_[i].values.push_back(kernel_feature(table.kernel, i));
        }
        for (const StageFeatures &row : table.stages) {
            for (size_t i = 0; i < stage; ++i) {
                columns_[kernel + i].values.push_back(stage_feature(row, i));
            }
            for (size_t i = 0; i < algorithm_feature_list().size(); ++i) {
                columns_[kernel + stage + i].values.push_back(algorithm_feature(row.algorithm, i));
            }
        }
    }

    const std::vector<FeatureColumn> &all() const { return columns_; }

private:
    std::vector<FeatureColumn> columns_;
};

struct Spread {
    size_t zeros;
    double least, median, greatest;
};

// Requires at least one value.
Spread spread_of(const std::vector<double> &values) {
    const auto [least, greatest] = std::ranges::minmax(values);
    return {static_cast<size_t>(std::ranges::count(values, 0.0)), least, median(values), greatest};
}

struct SampleCounts {
    size_t pipelines = 0, kernels = 0, stages = 0, times = 0;
};

SampleCounts counts_of(const SampleFile &file) {
    SampleCounts counts;
    std::set<std::string_view> pipelines;
    for (const Sample &sample : file.samples) {
        pipelines.insert(sample.pipeline);
        counts.kernels += sample.kernels.size();
        counts.times += sample.times_ms.size();
        for (const FeatureTable &table : sample.kernels) counts.stages += table.stages.size();
    }
    counts.pipelines = pipelines.size();
    return counts;
}

FeatureColumns columns_of(const SampleFile &file) {
    FeatureColumns columns;
    for (const Sample &sample : file.samples) {
        for (const FeatureTable &table : sample.kernels) columns.add(table);
    }
    return columns;
}

Result<std::string> first_bytes(const std::string &path, size_t count) {
    const Result<LogFile> file = LogFile::open_to_read(path);
    if (!file) return file.error();
    return file->read(0, count);
}

// Of the header of a file that was read.
uint64_t schema_in(const FileFormat &format, const std::string &begin) {
    return feature_schema_hash(check_file_header(format, begin).value());
}

// ---- text ----

std::string header_text(const FeatureFile &file, std::string_view format) {
    return clean_text(file.path) + ": " + std::string(format) + ", feature list " +
           to_hex(file.schema) + "\n";
}

std::string text_of(const FeatureFile &shown, const Featurization &kernels) {
    std::string text = header_text(shown, kFeaturizationFormat.name) +
                       "kernels: " + std::to_string(kernels.size()) + "\n\n";
    for (size_t i = 0; i < kernels.size(); ++i) {
        Table table{.title = "Kernel " + std::to_string(i),
                    .caption = "Features of the kernel, then of each of its stages.",
                    .columns = {words("feature"), words("unit"), numbers("kernel")}};
        for (size_t n = 0; n < kernels[i].stages.size(); ++n) {
            table.columns.push_back(numbers("stage " + std::to_string(n)));
        }
        TableSection &section = table.sections.emplace_back();
        FeatureColumns columns;
        columns.add(kernels[i]);
        for (const FeatureColumn &column : columns.all()) {
            std::vector<std::string> cells = {std::string(column.info.name),
                                              std::string(column.info.unit)};
            if (column.of == "stage") cells.emplace_back();
            for (const double value : column.values) cells.push_back(number_text(value));
            section.lines.push_back(line(cells));
        }
        text += terminal_text(table);
    }
    return text;
}

std::string text_of(const FeatureFile &shown, const SampleFile &file) {
    const SampleCounts counts = counts_of(file);
    Table head{.title = "Origin", .columns = {words("what"), words("value")}};
    TableSection &section = head.sections.emplace_back();
    const Json origin = Json::parse(to_json(file.origin));
    for (const auto &[key, value] : origin.items()) {
        const std::string &name =
            value.is_string() ? value.get_ref<const std::string &>() : file.origin.gpu.name;
        section.lines.push_back(line({key, clean_text(name)}));
    }
    Table held{.title = "Held", .columns = {words("what"), numbers("number")}};
    held.sections.push_back(
        {.lines = {line({"samples", std::to_string(file.samples.size())}),
                   line({"pipelines", std::to_string(counts.pipelines)}),
                   line({"kernels", std::to_string(counts.kernels)}),
                   line({"stages", std::to_string(counts.stages)}),
                   line({"times", std::to_string(counts.times)}),
                   line({"bytes of a torn record at the end", std::to_string(file.torn_bytes)})}});
    Table spread{.title = "Features",
                 .caption = "Over all kernels, then over all stages.",
                 .columns = {words("feature"), words("unit"), numbers("zeros"), numbers("least"),
                             numbers("median"), numbers("greatest")}};
    TableSection &rows = spread.sections.emplace_back();
    const FeatureColumns columns = columns_of(file);
    for (const FeatureColumn &column : columns.all()) {
        if (column.values.empty()) continue;
        const Spread of = spread_of(column.values);
        rows.lines.push_back(line({std::string(column.info.name), std::string(column.info.unit),
                                   std::to_string(of.zeros), number_text(of.least),
                                   number_text(of.median), number_text(of.greatest)}));
    }
    return header_text(shown, kSampleFormat.name) + "\n" + terminal_text(head) +
           terminal_text(held) + terminal_text(spread);
}

// ---- JSON ----

Json json_of(const FeatureFile &file, std::string_view format) {
    return {{"file", file.path}, {"format", format}, {"schema", to_hex(file.schema)}};
}

Json json_of(const FeatureTable &table) {
    FeatureColumns columns;
    columns.add(table);
    Json kernel = {{"features", Json::object()}, {"stages", Json::array()}};
    for (const StageFeatures &stage : table.stages) {
        const Json id = stage.stage >= 0 ? Json(stage.stage) : Json();
        kernel["stages"].push_back({{"stage", id}, {"features", Json::object()}});
    }
    for (const FeatureColumn &column : columns.all()) {
        const std::string name(column.info.name);
        for (size_t i = 0; i < column.values.size(); ++i) {
            Json &row = column.of == "kernel" ? kernel : kernel["stages"][i];
            row["features"][name] = column.values[i];
        }
    }
    return kernel;
}

Json json_of(const FeatureFile &shown, const Featurization &kernels) {
    Json json = json_of(shown, "featurization");
    json["kernels"] = Json::array();
    for (const FeatureTable &table : kernels) json["kernels"].push_back(json_of(table));
    return json;
}

Json json_of(const FeatureFile &shown, const SampleFile &file) {
    const SampleCounts counts = counts_of(file);
    Json json = json_of(shown, "samples");
    json["origin"] = Json::parse(to_json(file.origin));
    json["samples"] = file.samples.size();
    json["pipelines"] = counts.pipelines;
    json["kernels"] = counts.kernels;
    json["stages"] = counts.stages;
    json["times"] = counts.times;
    json["torn_bytes"] = file.torn_bytes;
    json["features"] = Json::array();
    const FeatureColumns columns = columns_of(file);
    for (const FeatureColumn &column : columns.all()) {
        if (column.values.empty()) continue;
        const Spread of = spread_of(column.values);
        json["features"].push_back({{"name", column.info.name},
                                    {"unit", column.info.unit},
                                    {"of", column.of},
                                    {"values", column.values.size()},
                                    {"zeros", of.zeros},
                                    {"least", of.least},
                                    {"median", of.median},
                                    {"greatest", of.greatest}});
    }
    return json;
}

}  // namespace

Result<FeatureFile> read_feature_file(const std::string &path) {
    const Result<std::string> begin = first_bytes(path, kFileHeaderBytes);
    if (!begin) return Error{path + ": " + begin.error().message};
    if (begin->starts_with(kSampleFormat.magic)) {
        Result<SampleFile> samples = read_samples(path);
        if (!samples) return samples.error();
        return FeatureFile{path, schema_in(kSampleFormat, *begin), std::move(samples).value()};
    }
    if (begin->starts_with(kFeaturizationFormat.magic)) {
        const Result<std::string> bytes = read_file(path);
        if (!bytes) return bytes.error();
        Result<Featurization> kernels = parse_featurization(*bytes);
        if (!kernels) return Error{path + ": " + kernels.error().message};
        return FeatureFile{path, schema_in(kFeaturizationFormat, *begin),
                           std::move(kernels).value()};
    }
    return Error{path + ": expected a featurization, which begins with '" +
                 std::string(kFeaturizationFormat.magic) +
                 "', or a sample file, which begins with '" + std::string(kSampleFormat.magic) +
                 "', found something else"};
}

std::string feature_file_text(const FeatureFile &file) {
    return std::visit([&](const auto &content) { return text_of(file, content); }, file.content);
}

std::string feature_file_json(const FeatureFile &file) {
    const Json json =
        std::visit([&](const auto &content) { return json_of(file, content); }, file.content);
    return dump(json, 2) + "\n";
}

}  // namespace autoschedule_gpu
