#include "lab/run/run_report.h"

#include <cmath>
#include <limits>

#include "core/json/json.h"

namespace autoschedule_gpu {

namespace {

constexpr const char *kReportFormat = "autoschedule_gpu.run";
constexpr int kReportVersion = 5;

// JSON has neither infinity nor NaN; they are written as texts.
Json number(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    return value;
}

double as_double(const Json &value) {
    if (!value.is_string()) return value.get<double>();
    const std::string text = value.get<std::string>();
    if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (text == "inf") return std::numeric_limits<double>::infinity();
    if (text == "-inf") return -std::numeric_limits<double>::infinity();
    return value.get<double>();
}

Json to_value(const OutputDifference &output) {
    return {{"name", output.name},
            {"elements", output.elements},
            {"wrong_elements", output.wrong_elements},
            {"greatest_magnitude", number(output.greatest_magnitude)},
            {"tolerance", number(output.tolerance)},
            {"worst_difference", number(output.worst_difference)},
            {"worst_at", output.worst_at},
            {"worst_expected", number(output.worst_expected)},
            {"worst_found", number(output.worst_found)}};
}

OutputDifference to_difference(const Json &value) {
    return {.name = value.at("name").get<std::string>(),
            .elements = value.at("elements").get<int64_t>(),
            .wrong_elements = value.at("wrong_elements").get<int64_t>(),
            .greatest_magnitude = as_double(value.at("greatest_magnitude")),
            .tolerance = as_double(value.at("tolerance")),
            .worst_difference = as_double(value.at("worst_difference")),
            .worst_at = value.at("worst_at").get<std::vector<int64_t>>(),
            .worst_expected = as_double(value.at("worst_expected")),
            .worst_found = as_double(value.at("worst_found"))};
}

Result<RunReport> to_report(const Json &json) {
    RunReport report;
    if (const auto failure = json.find("failure"); failure != json.end()) {
        const std::string name = failure->at("kind").get<std::string>();
        const std::optional<FailureKind> kind = find_failure_kind(name);
        if (!kind) return Error{"expected a kind of failure in the run's report, found " + name};
        report.failure = Failure{.kind = *kind,
                                 .reason = failure->at("reason").get<std::string>(),
                                 .output = failure->at("output").get<std::string>()};
    }
    report.verified = json.at("verified").get<bool>();
    for (const Json &output : json.at("outputs")) report.outputs.push_back(to_difference(output));
    report.device_name = json.at("device_name").get<std::string>();
    report.driver_version = json.at("driver_version").get<std::string>();
    report.first_run_ms = json.at("first_run_ms").get<double>();
    report.samples_ms = json.at("samples_ms").get<std::vector<double>>();
    report.waited_ms = json.at("waited_ms").get<std::vector<double>>();
    report.l2_flushed = json.at("l2_flushed").get<bool>();
    report.constant_outputs = json.at("constant_outputs").get<std::vector<std::string>>();
    for (const Json &scalar : json.at("assumed_scalars")) {
        report.assumed_scalars.push_back({.name = scalar.at("name").get<std::string>(),
                                          .value = scalar.at("value").get<std::string>()});
    }
    return report;
}

}  // namespace

std::string to_json(const RunReport &report) {
    Json json = {{"format", kReportFormat}, {"version", kReportVersion}};
    if (report.failure) {
        json["failure"] = {{"kind", to_string(report.failure->kind)},
                           {"reason", report.failure->reason},
                           {"output", report.failure->output}};
    }
    json["verified"] = report.verified;
    json["outputs"] = Json::array();
    for (const OutputDifference &output : report.outputs) {
        json["outputs"].push_back(to_value(output));
    }
    json["device_name"] = report.device_name;
    json["driver_version"] = report.driver_version;
    json["first_run_ms"] = report.first_run_ms;
    json["samples_ms"] = report.samples_ms;
    json["waited_ms"] = report.waited_ms;
    json["l2_flushed"] = report.l2_flushed;
    json["constant_outputs"] = report.constant_outputs;
    json["assumed_scalars"] = Json::array();
    for (const AssumedScalar &scalar : report.assumed_scalars) {
        json["assumed_scalars"].push_back({{"name", scalar.name}, {"value", scalar.value}});
    }
    return dump(json);
}

Result<RunReport> parse_run_report(std::string_view text) {
    const Json json = parse_loosely(text);
    if (!json.is_object() || json.value("format", Json()) != kReportFormat) {
        return Error{"expected a run's report, found none"};
    }
    if (json.value("version", Json()) != kReportVersion) {
        return Error{"expected version " + std::to_string(kReportVersion) +
                     " of a run's report, found another"};
    }
    return read_fields<RunReport>(json, "a run's report is not as it should be: ", to_report);
}

}  // namespace autoschedule_gpu
