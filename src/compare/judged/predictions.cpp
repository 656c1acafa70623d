#include "compare/judged/predictions.h"

#include <algorithm>
#include <array>

#include "core/gpu/gpu_model_file.h"
#include "core/json/json.h"
#include "core/lowered/loop_names.h"
#include "core/process/temporary_folder.h"
#include "core/support/file.h"

namespace autoschedule_gpu {
namespace {

constexpr const char *kFormat = "autoschedule_gpu.report";
constexpr int kVersion = 1;

// Those that candidate_of adds, and the report that is read.
constexpr std::array<std::string_view, 5> kParametersOfJudges = {"gpu", "decisions", "ptxas",
                                                                 "disable_decisions", "report"};

std::vector<PredictedKernel> kernels_of(const Json &report) {
    std::vector<PredictedKernel> kernels;
    for (const Json &kernel : report.at("predictions")) {
        if (kernel.at("on_host").get<bool>()) continue;
        kernels.push_back({kernel.at("stage").get<std::string>(),
                           kernel.at("predicted_us").get<double>(),
                           kernel.at("bound_by").get<std::string>()});
    }
    return kernels;
}

Outcome<NamedValues> named_values(const std::vector<std::string> &texts) {
    NamedValues values;
    for (const std::string &text : texts) {
        const size_t equals = text.find('=');
        if (equals == text.npos) return setup_failure("'" + text + "' is no NAME=VALUE");
        values.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    return values;
}

// One schedule, in a folder of its own.
class Judge {
public:
    Judge(const JudgeRequest &request, double clock_ghz, std::string folder)
        : request_(request), clock_ghz_(clock_ghz), folder_(std::move(folder)) {}

    Outcome<JudgedSchedule> operator()(const SimulatedSchedule &schedule) const {
        const auto kernels = predict(schedule);
        if (!kernels) return kernels.error();
        JudgedSchedule judged{.application = schedule.application,
                              .schedule = schedule.schedule,
                              .simulated_us = in_us(schedule.cycles)};
        for (const PredictedKernel &kernel : *kernels) {
            judged.predicted_us += kernel.us;
            const double cycles = cycles_of(schedule, kernel.stage);
            if (cycles == 0) continue;
            judged.kernels.push_back({kernel, in_us(cycles), cycles / schedule.cycles});
        }
        return judged;
    }

private:
    double in_us(double cycles) const { return cycles / (clock_ghz_ * 1000); }

    static double cycles_of(const SimulatedSchedule &schedule, const std::string &stage) {
        double cycles = 0;
        for (const SimulatedKernel &kernel : schedule.kernels) {
            if (is_kernel_of(kernel.name, stage)) cycles += kernel.cycles;
        }
        return cycles;
    }

    Outcome<std::vector<PredictedKernel>> predict(const SimulatedSchedule &schedule) const {
        auto made = candidate_of(request_, schedule, folder_);
        if (!made) return made.error();
        Candidate candidate = std::move(made).value();
        const std::string report = folder_ + "/report.json";
        candidate.scheduler_params.emplace_back("report", report);
        const auto generated = generate(candidate, folder_, request_.limits,
                                        {.object = false, .device_code = false, .schedule = true});
        if (!generated) return generated.error();
        const Result<std::string> text = read_file(report);
        auto kernels = text ? parse_predictions(*text) : text.error();
        if (!kernels) return setup_failure(kernels.error().message);
        return std::move(kernels).value();
    }

    const JudgeRequest &request_;
    const double clock_ghz_;
    const std::string folder_;
};

// Kinds that the schedule was made without, because there were none yet: of those that are on where
// a list says nothing, the ones that it says nothing of.
std::string kinds_of_later(const std::string &decisions) {
    std::string kinds;
    for (const std::string_view kind : {"vectors", "step_vectors", "multiples", "channel_vectors",
                                        "along_stores", "pixel_vectors", "loads_ahead"}) {
        if (decisions.find('"' + std::string(kind) + '"') != std::string::npos) continue;
        kinds += (kinds.empty() ? "" : ",") + std::string(kind);
    }
    return kinds;
}

}  // namespace

Status check_parameters(const NamedValues &parameters) {
    for (const auto &[name, value] : parameters) {
        if (std::ranges::count(kParametersOfJudges, name) == 0) continue;
        return Error{"the parameter '" + name + "' is not free: this program sets it"};
    }
    return Ok{};
}

Outcome<Candidate> candidate_of(const JudgeRequest &request, const SimulatedSchedule &schedule,
                                const std::string &folder) {
    const Outcome<NamedValues> params = named_values(schedule.generator_parameters);
    if (!params) return params.error();
    Candidate candidate{.name = "judged",
                        .generator = request.generators + "/" + schedule.generator() + ".generator",
                        .generator_name = schedule.generator(),
                        .target = "host-cuda",
                        .params = *params};
    if (schedule.decisions.empty()) {
        candidate.params.emplace_back("manual", "true");
        return candidate;
    }
    const std::string decisions = folder + "/decisions.json";
    if (const Status written = write_file(decisions, schedule.decisions); !written) {
        return setup_failure(written.error().message);
    }
    candidate.plugin = request.plugin;
    candidate.scheduler = "GPU";
    candidate.scheduler_params = request.parameters;
    for (const auto &[name, value] : NamedValues{
             {"gpu", request.data + "/device.json"}, {"decisions", decisions}, {"ptxas", "off"}}) {
        candidate.scheduler_params.emplace_back(name, value);
    }
    const std::string later = kinds_of_later(schedule.decisions);
    if (!later.empty()) candidate.scheduler_params.emplace_back("disable_decisions", later);
    return candidate;
}

Result<std::vector<PredictedKernel>> parse_predictions(std::string_view text) {
    const Json report = parse_loosely(text);
    if (!has_format(report, kFormat, kVersion)) {
        return Error{"expected a report of the plugin, of version " + std::to_string(kVersion) +
                     ", found none"};
    }
    return read_fields<std::vector<PredictedKernel>>(
        report, "the plugin's report is not as it should be: ", kernels_of);
}

bool is_kernel_of(std::string_view kernel, std::string_view stage) {
    constexpr std::string_view kUpdate = ".update(";
    const size_t update = stage.rfind(kUpdate);
    int index = 0;
    if (update != stage.npos) {
        index = 1 + std::stoi(std::string(stage.substr(update + kUpdate.size())));
        stage = stage.substr(0, update);
    }
    return kernel.starts_with(
        device_function_name(std::string(stage) + ".s" + std::to_string(index) + "."));
}

Outcome<std::vector<JudgedSchedule>> judge(const JudgeRequest &request,
                                           const std::vector<SimulatedSchedule> &schedules,
                                           const std::function<void(size_t)> &done) {
    const Result<GpuModel> gpu = read_model_file(request.data + "/device.json");
    if (!gpu) return setup_failure(gpu.error().message);
    const auto folder = TemporaryFolder::create("judge_model");
    if (!folder) return setup_failure(folder.error().message);
    const Judge judge_one(request, gpu->clock_ghz, folder->path().string());
    std::vector<JudgedSchedule> judged;
    for (size_t i = 0; i < schedules.size(); ++i) {
        if (!schedules[i].decisions.empty()) {
            auto one = judge_one(schedules[i]);
            if (!one) return one.error();
            judged.push_back(std::move(one).value());
        }
        done(i + 1);
    }
    return judged;
}

}  // namespace autoschedule_gpu
