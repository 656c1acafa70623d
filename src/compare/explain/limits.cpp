#include "compare/explain/limits.h"

#include <algorithm>

#include "compare/explain/words.h"

namespace autoschedule_gpu {

namespace {

bool is_between_kernels(const Explained &schedule, const ExplainedBuffer &buffer) {
    const ExplainedFunc *func = schedule.func(buffer.func);
    return func != nullptr && func->kind == "internal";
}

// The array that is most in DRAM and is neither an input nor an output; null: there is none.
const ExplainedBuffer *largest_between_kernels(const Explained &schedule,
                                               const ExplainedKernel &kernel) {
    const ExplainedBuffer *largest = nullptr;
    for (const ExplainedBuffer &buffer : kernel.buffers) {
        if (!buffer.dram || !is_between_kernels(schedule, buffer)) continue;
        if (largest == nullptr || buffer.bytes > largest->bytes) largest = &buffer;
    }
    return largest;
}

std::string dram_relief(const Explained &schedule, const ExplainedKernel &kernel) {
    const ExplainedBuffer *largest = largest_between_kernels(schedule, kernel);
    if (largest == nullptr) {
        return "These are inputs and outputs alone: narrower types would relieve it, or one kernel "
               "for all that read the same.";
    }
    return largest->func + " (" + bytes_text(largest->bytes) +
           ") passes through DRAM between two kernels: to compute it in the block or the thread "
           "that "
           "reads it, or to keep it below the size of the L2 cache, would relieve it.";
}

std::string latency_relief(const ExplainedKernel &kernel) {
    if (!kernel.occupancy) return "";
    const std::string &limit = kernel.occupancy->limit;
    std::string more;
    if (limit == "registers") {
        more = "fewer registers per thread (fewer points per thread, less unrolling)";
    } else if (limit == "shared memory") {
        more = "less shared memory per block (smaller tiles)";
    } else if (limit == "blocks") {
        more = "larger blocks, so that fewer of them fill an SM";
    } else {
        more = "more independent points per thread, whose loads are on their way together";
    }
    return "Others must work while a warp waits: " + more + ", or a grid of more blocks.";
}

}  // namespace

std::string limiter_text(const ExplainedKernel &kernel) {
    if (kernel.on_host) return "It runs on the host: " + kernel.host_reason + ".";
    const std::string &by = kernel.bound_by;
    if (by == "dram") {
        return "It moves " + bytes_text(kernel.dram_bytes_read + kernel.dram_bytes_written) +
               " to and from DRAM.";
    }
    if (by == "l2") {
        return "What misses L1 keeps the L2 cache busy: its warps ask for " +
               bytes_text(kernel.transaction_load_bytes) + " in sectors, of " +
               bytes_text(kernel.global_bytes_read) + " that are distinct.";
    }
    if (by == "arithmetic") return "Its instructions keep the SMs busy.";
    if (by == "load_store") return "Its loads and stores keep the load-store units busy.";
    if (by == "latency") {
        return "Its warps wait for data and barriers, and too few others are there to work.";
    }
    if (by == "launch") return "It does so little that to launch it takes longest.";
    if (by == "blocks") return "Its blocks do so little that to begin them takes longest.";
    if (by == "barriers") return "Its warps pass so many barriers that these take longest.";
    return "";
}

std::string relief_text(const Explained &schedule, const ExplainedKernel &kernel) {
    if (kernel.on_host) return "";
    const std::string &by = kernel.bound_by;
    if (by == "dram") return dram_relief(schedule, kernel);
    if (by == "l2") {
        return "Tiles whose neighbours share more of what they read, rows of whole sectors, or a "
               "staged copy in shared memory would relieve it.";
    }
    if (by == "arithmetic") {
        return kernel.inlined.empty()
                   ? "Cheaper operations or types would relieve it, or fewer borders that are "
                     "computed twice (larger tiles)."
                   : "Of the " + std::to_string(kernel.inlined.size()) +
                         " inlined Funcs, those that are evaluated several times for a point could "
                         "be "
                         "stored in the block or the thread instead.";
    }
    if (by == "load_store") {
        return "More points per thread that share loads, copies in registers, or wider loads would "
               "relieve it.";
    }
    if (by == "latency") return latency_relief(kernel);
    if (by == "launch") {
        return "To compute it in the kernel that reads it, or in the launch of another, "
               "would save the launch.";
    }
    if (by == "blocks") return "Larger blocks, or more points per thread, would relieve it.";
    if (by == "barriers") {
        return "Fewer stages in a block, smaller blocks, or more work between two barriers would "
               "relieve it.";
    }
    return "";
}

std::string occupancy_text(const ExplainedKernel &kernel) {
    if (!kernel.occupancy) return "";
    const auto &[limit, blocks, warps, most] = *kernel.occupancy;
    std::string why;
    if (limit == "registers") {
        why = "registers (" + count_text(kernel.registers) + " per thread)";
    } else if (limit == "shared memory") {
        why = "shared memory (" + bytes_text(kernel.shared_bytes) + " per block)";
    } else if (limit == "blocks") {
        why = "the device's number of blocks";
    } else {
        why = "the device's number of warps";
    }
    return std::to_string(warps) + " of " + std::to_string(most) + " warps at once: " + why +
           " allow" + (limit == "registers" ? " " : "s ") + std::to_string(blocks) +
           (blocks == 1 ? " block" : " blocks") + " per SM.";
}

}  // namespace autoschedule_gpu
