#include "records/records_tables.h"

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

}  // namespace

TableLine record_line(const TuningRecord &record) {
    const bool failed = record.failure.has_value();
    return line_of(
        {record.pipeline.name, record.pipeline.size, record.environment.device,
         failed ? "-" : number_text(*median_ms(record)),
         std::to_string(all_times_ms(record).size()), record.found_by, record.recorded_at,
         failed ? std::string(to_string(record.failure->kind)) + ": " + record.failure->reason
                : "measured"});
}

Table record_table(std::vector<TableLine> lines, const std::string &title) {
    return {.title = title,
            .columns = {words("pipeline"), words("size"), words("device"), numbers("median", "ms"),
                        numbers("samples"), words("found by"), words("when"), words("outcome")},
            .sections = {{.lines = std::move(lines)}}};
}

Table champion_table(std::span<const Champion> champions) {
    std::vector<TableLine> lines;
    for (const Champion &champion : champions) {
        const TuningRecord &record = champion.record;
        const Environment &environment = record.environment;
        lines.push_back(line_of(
            {record.pipeline.name, record.pipeline.size, environment.device, environment.driver,
             environment.gpu, environment.halide, number_text(champion.median_ms),
             champion.times_as_fast ? number_text(*champion.times_as_fast) : "-",
             record.found_by}));
    }
    return {.title = "The fastest",
            .columns = {words("pipeline"), words("size"), words("device"), words("driver"),
                        words("gpu"), words("Halide"), numbers("median", "ms"),
                        numbers("faster", "times"), words("found by")},
            .sections = {{.lines = std::move(lines)}},
            .legend =
                "By the finals of tuning runs. faster: than what the autoscheduler finds "
                "without tuning, which wins where nothing is faster by more than luck"};
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
