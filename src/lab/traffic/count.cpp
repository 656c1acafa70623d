#include "lab/traffic/count.h"

#include <cctype>
#include <iterator>

#include "core/lowered/code_facts.h"
#include "core/lowered/loop_names.h"
#include "lab/traffic/host_scalars.h"
#include "lab/traffic/kernel_walk.h"
#include "lab/traffic/operations.h"
#include "lab/traffic/sampling.h"

namespace autoschedule_gpu {
namespace {

// Runs the cheapest plan first, because that shows what each plan would cost. Its own result is
// often not needed.
Result<KernelTraffic> count_kernel(const lowered::Code &code, const CodeFacts &facts,
                                   const CodeText &text, lowered::StatementId kernel,
                                   const MemoryUnits &units, const CountLimits &limits) {
    const size_t cheapest = sample_plans().size() - 1;
    KernelWalk trial(code, facts, text, kernel, units, cheapest);
    Result<KernelTraffic> traffic = trial.run();
    if (!traffic) return traffic;
    const auto work = trial.work_of_plans();
    for (size_t plan = 0; plan < cheapest; plan++) {
        if (work[plan] > limits.work_per_kernel && work[plan] > work[cheapest]) continue;
        return KernelWalk(code, facts, text, kernel, units, plan).run();
    }
    return traffic;
}

constexpr double ThreadWork::*kSums[] = {&ThreadWork::access_load_bytes,
                                         &ThreadWork::access_store_bytes,
                                         &ThreadWork::transaction_load_bytes,
                                         &ThreadWork::transaction_store_bytes,
                                         &ThreadWork::global_load_wavefronts,
                                         &ThreadWork::global_store_wavefronts,
                                         &ThreadWork::shared_access_bytes,
                                         &ThreadWork::shared_wavefronts,
                                         &ThreadWork::stack_access_bytes,
                                         &ThreadWork::atomic_operations,
                                         &ThreadWork::atomic_sectors,
                                         &ThreadWork::atomic_bytes,
                                         &ThreadWork::float_operations,
                                         &ThreadWork::integer_operations,
                                         &ThreadWork::special_operations,
                                         &ThreadWork::fused_float_operations,
                                         &ThreadWork::fused_integer_operations,
                                         &ThreadWork::double_operations,
                                         &ThreadWork::double_instructions,
                                         &ThreadWork::other_operations,
                                         &ThreadWork::global_loads,
                                         &ThreadWork::global_stores,
                                         &ThreadWork::shared_loads,
                                         &ThreadWork::shared_stores,
                                         &ThreadWork::stored_elements,
                                         &ThreadWork::active_lanes,
                                         &ThreadWork::warp_lanes,
                                         &ThreadWork::block_instructions,
                                         &ThreadWork::serial_iterations,
                                         &ThreadWork::ordered_iterations,
                                         &ThreadWork::loop_entries,
                                         &ThreadWork::waits,
                                         &ThreadWork::global_waits,
                                         &ThreadWork::load_groups,
                                         &ThreadWork::new_load_groups};
static_assert(sizeof(ThreadWork) == std::size(kSums) * sizeof(double));

}  // namespace

ThreadWork operator-(const ThreadWork &a, const ThreadWork &b) {
    ThreadWork difference = a;
    for (const auto sum : kSums) difference.*sum -= b.*sum;
    return difference;
}

ThreadWork &operator+=(ThreadWork &a, const ThreadWork &b) {
    for (const auto sum : kSums) a.*sum += b.*sum;
    return a;
}

Result<std::vector<KernelTraffic>> count_traffic(const lowered::Code &code, const GpuModel &model,
                                                 const CountLimits &limits) {
    if (const Status status = check(code); !status.ok()) return status.error();
    const CodeFacts facts(code);
    const CodeText text{operations_by_statement(code, facts.kernels),
                        address_forms(code, facts.kernels), stores_to_host_scalars(code)};
    const MemoryUnits units = units_of(model);
    std::vector<KernelTraffic> kernels;
    for (const lowered::StatementId kernel : facts.kernels) {
        const std::string &loop = std::get<lowered::For>(code.statement(kernel)).name;
        Result<KernelTraffic> traffic = count_kernel(code, facts, text, kernel, units, limits);
        if (!traffic) return Error{"kernel " + loop + ": " + traffic.error().message};
        kernels.push_back(std::move(traffic).value());
        kernels.back().loop = loop;
        kernels.back().name = device_function_name(loop);
        kernels.back().func = func_of_loop(loop);
    }
    return kernels;
}

}  // namespace autoschedule_gpu
