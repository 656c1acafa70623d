#include "compare/judged/counted.h"

#include <cctype>
#include <map>

#include "compare/schedulers/predicted_time.h"
#include "core/gpu/gpu_model_file.h"
#include "core/process/temporary_folder.h"
#include "core/support/file.h"
#include "lab/build/probe_report.h"
#include "scheduler/model/roofline.h"

namespace autoschedule_gpu {
namespace {

struct SimulatedWork {
    double cycles = 0;
    PtxasKernel code = {};
};

std::map<std::string_view, SimulatedWork> by_name(const SimulatedSchedule &schedule) {
    std::map<std::string_view, SimulatedWork> found;
    for (const SimulatedKernel &kernel : schedule.kernels) {
        SimulatedWork &work = found[stage_of_kernel(kernel.name)];
        work.cycles += kernel.cycles;
        work.code.registers = std::max(work.code.registers, kernel.registers);
    }
    return found;
}

JudgedSchedule judged_of(const SimulatedSchedule &schedule,
                         const std::vector<KernelTraffic> &kernels, const GpuModel &gpu) {
    const double cycles_per_us = gpu.clock_ghz * 1000;
    const auto simulated = by_name(schedule);
    std::map<std::string_view, JudgedKernel> judged;
    JudgedSchedule result{.application = schedule.application,
                          .schedule = schedule.schedule,
                          .simulated_us = schedule.cycles / cycles_per_us};
    for (const KernelTraffic &kernel : kernels) {
        const auto known = simulated.find(stage_of_kernel(kernel.name));
        if (kernel.launches <= 0 || known == simulated.end()) continue;
        const auto &[name, work] = *known;
        const Roofline::Terms terms = counted_terms(kernel, work.code, gpu);
        JudgedKernel &one = judged[name];
        const double us = kernel.launches * terms.total / 1000;
        one.predicted.stage = kernel.func;
        one.predicted.bound_by = terms.bound_by();
        one.predicted.us += us;
        one.simulated_us = work.cycles / cycles_per_us;
        one.share = work.cycles / schedule.cycles;
        result.predicted_us += us;
    }
    for (auto &[name, kernel] : judged) result.kernels.push_back(std::move(kernel));
    return result;
}

Outcome<ProbeReport> probe(const JudgeRequest &request, const std::string &probe,
                           const SimulatedSchedule &schedule, const std::string &folder) {
    auto made = candidate_of(request, schedule, folder);
    if (!made) return made.error();
    Candidate candidate = std::move(made).value();
    const std::string report = folder + "/probe.json";
    candidate.plugin = candidate.scheduler.empty() ? probe : probe + "," + candidate.plugin;
    if (!candidate.scheduler.empty()) {
        candidate.scheduler_params.emplace_back("inner", candidate.scheduler);
    }
    candidate.scheduler = "Probe";
    candidate.scheduler_params.emplace_back("probe_out", report);
    candidate.scheduler_params.emplace_back("probe_gpu", request.data + "/device.json");
    const auto generated = generate(candidate, folder, request.limits,
                                    {.object = false, .device_code = false, .stmt = true});
    if (!generated) return generated.error();
    const Result<std::string> text = read_file(report);
    Result<ProbeReport> probed = text ? parse_probe_report(*text) : text.error();
    if (!probed) return setup_failure(probed.error().message);
    if (!probed->kernels) return setup_failure(probed->traffic_error.value_or("nothing counted"));
    return std::move(probed).value();
}

}  // namespace

std::string_view stage_of_kernel(std::string_view kernel) {
    const auto is_digit = [&](size_t at) {
        return at < kernel.size() && std::isdigit(static_cast<unsigned char>(kernel[at])) != 0;
    };
    for (size_t at = kernel.find("_s"); at != kernel.npos; at = kernel.find("_s", at + 1)) {
        size_t end = at + 2;
        while (is_digit(end)) ++end;
        if (end > at + 2 && end < kernel.size() && kernel[end] == '_') return kernel.substr(0, end);
    }
    return kernel;
}

Outcome<std::vector<JudgedSchedule>> judge_counted(const JudgeRequest &request,
                                                   const std::string &probe_library,
                                                   const std::vector<SimulatedSchedule> &schedules,
                                                   const std::function<void(size_t)> &done) {
    const Result<GpuModel> gpu = read_model_file(request.data + "/device.json");
    if (!gpu) return setup_failure(gpu.error().message);
    const auto folder = TemporaryFolder::create("judge_model");
    if (!folder) return setup_failure(folder.error().message);
    std::vector<JudgedSchedule> judged;
    for (size_t i = 0; i < schedules.size(); ++i) {
        const auto probed = probe(request, probe_library, schedules[i], folder->path().string());
        if (!probed) return probed.error();
        judged.push_back(judged_of(schedules[i], *probed->kernels, *gpu));
        done(i + 1);
    }
    return judged;
}

}  // namespace autoschedule_gpu
