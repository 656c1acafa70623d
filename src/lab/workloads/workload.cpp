#include "lab/workloads/workload.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <utility>

#include "core/support/split_list.h"

namespace autoschedule_gpu {
namespace {

constexpr std::string_view kRandom = "random:";
constexpr std::string_view kApps = "apps";
constexpr int64_t kMostSeed = 1'000'000'000;

struct Seeds {
    int64_t first = 0, last = -1;
};

std::optional<int64_t> parse_number(std::string_view text) {
    int64_t number = 0;
    const char *end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data(), end, number);
    if (code != std::errc() || stop != end || number < 0 || number > kMostSeed) return std::nullopt;
    return number;
}

// "20" is 0 to 19, "20-39" is itself.
std::optional<Seeds> parse_seeds(std::string_view text) {
    const size_t dash = text.find('-');
    const std::optional<int64_t> first = parse_number(text.substr(0, dash));
    if (!first) return std::nullopt;
    if (dash == std::string_view::npos) {
        return *first > 0 ? std::optional(Seeds{0, *first - 1}) : std::nullopt;
    }
    const std::optional<int64_t> last = parse_number(text.substr(dash + 1));
    if (!last || *last < *first) return std::nullopt;
    return Seeds{*first, *last};
}

Workload random_workload(int64_t seed, const WorkloadSource &source) {
    return {.pipeline = std::string(kRandom) + std::to_string(seed),
            .size = source.work,
            .generator = source.random_generator,
            .generator_name = "random_pipeline",
            .params = {{"seed", std::to_string(seed)}, {"work", source.work}}};
}

Result<std::vector<Workload>> parse_part(const std::string &part, const WorkloadSource &source) {
    std::vector<Workload> workloads;
    if (part.starts_with(kRandom)) {
        const std::optional<Seeds> seeds = parse_seeds(part.substr(kRandom.size()));
        if (!seeds) return Error{"expected random:N or random:FIRST-LAST, found '" + part + "'"};
        for (int64_t seed = seeds->first; seed <= seeds->last; ++seed) {
            workloads.push_back(random_workload(seed, source));
        }
        return workloads;
    }
    const bool all = part == kApps;
    if (!all && !part.starts_with(std::string(kApps) + ":")) {
        return Error{"expected random:N, random:FIRST-LAST, apps, apps:NAME,NAME or both, found '" +
                     part + "'"};
    }
    const auto chosen =
        choose_applications(source.applications, all ? "all" : part.substr(kApps.size() + 1));
    if (!chosen) return chosen.error();
    for (const Application &application : *chosen) {
        Result<Workload> workload = workload_at(application, source.app_size);
        if (!workload) return workload.error();
        workloads.push_back(std::move(workload).value());
    }
    return workloads;
}

}  // namespace

Result<Workload> workload_at(const Application &application, const std::string &size) {
    Result<NamedValues> params = size_parameters(application, size);
    if (!params) return params.error();
    return Workload{.pipeline = "app:" + application.name,
                    .size = size,
                    .generator = application.generator,
                    .generator_name = application.name,
                    .params = std::move(params).value(),
                    .tolerance = application.tolerance,
                    .inputs = application.inputs};
}

Result<std::vector<Workload>> parse_workloads(std::string_view text, const WorkloadSource &source) {
    std::vector<Workload> workloads;
    for (const std::string &part : split_list(text == "both" ? "random:100+apps" : text, '+')) {
        Result<std::vector<Workload>> some = parse_part(part, source);
        if (!some) return some.error();
        for (const Workload &workload : *some) {
            const bool twice = std::any_of(
                workloads.begin(), workloads.end(),
                [&](const Workload &other) { return other.pipeline == workload.pipeline; });
            if (!twice) workloads.push_back(workload);
        }
    }
    if (workloads.empty()) return Error{"no pipeline was named; random:20 is twenty random ones"};
    return workloads;
}

Result<Workload> generator_workload(const std::string &program, std::string name,
                                    const std::vector<std::string> &params) {
    if (name.empty()) name = std::filesystem::path(program).stem().string();
    Workload workload{.generator = program, .generator_name = std::move(name)};
    for (const std::string &param : params) {
        const size_t equals = param.find('=');
        if (equals == 0 || equals == std::string::npos) {
            return Error{"expected NAME=VALUE, found '" + param + "'"};
        }
        workload.params.emplace_back(param.substr(0, equals), param.substr(equals + 1));
        workload.size += (workload.size.empty() ? "" : " ") + param;
    }
    if (workload.size.empty()) workload.size = "estimates";
    workload.pipeline = "generator:" + workload.generator_name;
    return workload;
}

}  // namespace autoschedule_gpu
