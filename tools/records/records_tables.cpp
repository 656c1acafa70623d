#include "records/records_tables.h"

#include <algorithm>
#include <utility>

#include "present/table_parts.h"
#include "present/text.h"

namespace autoschedule_gpu {
namespace {

TableLine line_of(const std::vector<std::string> &texts) {
    TableLine line;
    for (const std::string &text : texts) line.cells.push_back({.text = clean_text(text)});
    return line;
}

// "2026-11-22 09:30" of what utc_text() gives.
std::string minute_text(const std::string &utc) {
    return utc.substr(0, 10) + " " + utc.substr(11, 5);
}

// Below the others of the same pipeline at the same size on the same device, which are named once.
void add_line(Table &table, const PipelineKey &pipeline, const Environment &environment,
              const std::vector<std::string> &texts) {
    const std::string name =
        pipeline.name.empty() ? "a pipeline without records" : pipeline.name + " " + pipeline.size;
    const std::string of = clean_text(name + " on " + environment.device);
    auto section = std::ranges::find(table.sections, of, &TableSection::title);
    if (section == table.sections.end()) {
        section = table.sections.insert(section, {.title = of});
    }
    section->lines.push_back(line_of(texts));
}

std::string failure_text(const Failure &failure) {
    return std::string(to_string(failure.kind)) + ": " + failure.reason;
}

}  // namespace

Table record_table(const std::string &title) {
    return {.title = title,
            .columns = {numbers("median", "ms"), numbers("samples"), numbers("when", "UTC"),
                        words("outcome"), words("found by")}};
}

void add_record(Table &table, const TuningRecord &record) {
    const bool failed = record.failure.has_value();
    add_line(table, record.pipeline, record.environment,
             {failed ? "-" : number_text(*median_ms(record)),
              std::to_string(all_times_ms(record).size()), minute_text(record.recorded_at),
              failed ? failure_text(*record.failure) : "measured", record.found_by});
}

void add_failed_draw(Table &table, const FailedDraw &draw) {
    add_line(table, draw.pipeline, draw.environment,
             {"-", "0", "-", failure_text(draw.failure), draw.draw});
}

Table champion_table(std::span<const Champion> champions) {
    Table table{.title = "The fastest",
                .columns = {numbers("median", "ms"), numbers("faster", "times"), words("found by"),
                            words("driver"), words("gpu"), words("Halide")},
                .legend =
                    "By the finals of tuning runs. faster: than what the autoscheduler finds "
                    "without tuning, which wins where nothing is faster by more than luck"};
    for (const Champion &champion : champions) {
        const Environment &environment = champion.record.environment;
        add_line(
            table, champion.record.pipeline, environment,
            {number_text(champion.median_ms),
             champion.times_as_fast ? number_text(*champion.times_as_fast) : "-",
             champion.record.found_by, environment.driver, environment.gpu, environment.halide});
    }
    return table;
}

std::string counts_text(const RecordCounts &counts) {
    int64_t failed = 0;
    std::string kinds;
    for (const auto &[kind, count] : counts.failed) {
        failed += count;
        kinds += (kinds.empty() ? "" : ", ") + std::to_string(count) + " " +
                 std::string(to_string(kind));
    }
    return std::to_string(counts.measured) + " measured, " + std::to_string(failed) + " failed" +
           (kinds.empty() ? "" : " (" + kinds + ")");
}

}  // namespace autoschedule_gpu
