#include "compare/judged/simulated.h"

#include <filesystem>

#include "core/json/json.h"
#include "core/process/subprocess.h"
#include "core/support/file.h"

namespace autoschedule_gpu {
namespace {

SimulatedSchedule schedule_of(const Json &json) {
    SimulatedSchedule row{.application = json.at("application").get<std::string>(),
                          .schedule = json.at("schedule").get<std::string>(),
                          .cycles = json.at("cycles").get<double>()};
    row.generator_parameters = json.at("generator_parameters").get<std::vector<std::string>>();
    if (json.contains("decisions")) row.decisions = dump(json.at("decisions"));
    for (const Json &kernel : json.at("kernels")) {
        row.kernels.push_back({kernel.at("name").get<std::string>(),
                               kernel.at("cycles").get<double>(),
                               kernel.value("registers", int64_t{0})});
    }
    return row;
}

Result<std::string> decompressed(const std::string &path) {
    const auto xz = run_process({"xz", "--decompress", "--stdout", path}, std::chrono::minutes(1));
    if (!xz) return Error{path + ": " + xz.error().message + "; is xz installed?"};
    if (xz->end == ProcessEnd::exited && xz->code == 0) return xz->out;
    return Error{path + ": xz says: " + xz->err};
}

}  // namespace

Result<std::vector<SimulatedSchedule>> parse_simulated(std::string_view json_lines) {
    std::vector<SimulatedSchedule> rows;
    for (size_t line = 1; !json_lines.empty(); ++line) {
        const size_t end = std::min(json_lines.find('\n'), json_lines.size());
        const std::string_view text = json_lines.substr(0, end);
        json_lines.remove_prefix(std::min(end + 1, json_lines.size()));
        if (text.empty()) continue;
        const std::string complaint =
            "line " + std::to_string(line) + " is no simulated schedule: ";
        const Json json = parse_loosely(text);
        if (!json.is_object()) return Error{complaint + "expected a JSON object"};
        auto row = read_fields<SimulatedSchedule>(json, complaint, schedule_of);
        if (!row) return row.error();
        rows.push_back(std::move(row).value());
    }
    return rows;
}

Result<std::vector<SimulatedSchedule>> read_simulated(const std::string &folder) {
    const std::string path = folder + "/schedules.jsonl";
    const bool plain = std::filesystem::exists(path);
    const Result<std::string> text = plain ? read_file(path) : decompressed(path + ".xz");
    if (!text) return text.error();
    auto rows = parse_simulated(*text);
    if (!rows) return Error{path + (plain ? "" : ".xz") + ": " + rows.error().message};
    return rows;
}

}  // namespace autoschedule_gpu
