// Features of the group "register": what a thread needs of registers. An estimate: how a compiler
// orders instructions is not known.
#include <algorithm>

#include "features/feature_extractor.h"
#include "gpu/occupancy.h"

namespace autoschedule_gpu {

namespace {

double words_of(const Func &func) {
    return std::max(1.0, static_cast<double>(func.bytes_per_point()) / 4);
}

}  // namespace

// Words of the arrays that a thread keeps in registers from one of its stages to the next.
double FeatureExtractor::array_registers(const Band &threads) const {
    double words = 0;
    for (const BandPtr &inner : threads.body) {
        const Stage &stage = dag_.stage(inner->stage);
        if (homes_[stage.func.index()] != Home::registers || stage.index > 0) continue;
        words += words_of(dag_.func(stage.func)) * static_cast<double>(iterations(*inner));
    }
    return words;
}

// The accumulators and operands of a stage. Without a reduction the points of a tile are finished
// one after the other, so that only some of them are live at once; the iterations of an unrolled
// reduction are as well, and their operands. Those of a tile that is not unrolled are in memory.
double FeatureExtractor::tile_registers(const Band &threads, const Band &inner,
                                        const StageFeatures &features) const {
    constexpr double kMostOperands = 32, kMostLivePoints = 24;
    const Stage &stage = dag_.stage(inner.stage);
    const UnrolledLoops unrolled(dag_, inner);
    double points = 1, steps = 1;  // steps: of the reduction, in one pass
    bool accumulates = false;
    for (size_t i = 0; i < inner.trips.size(); ++i) {
        const double trips = static_cast<double>(inner.trips[i]);
        if (stage.loops[i].parallel) {
            if (unrolled[i]) points *= trips;
            continue;
        }
        accumulates = accumulates || trips > 1;
        if (unrolled[i]) steps *= trips;
    }
    const double loads = (features.global_loads_per_thread + features.shared_loads_per_thread) /
                         std::max(1.0, features.serial_iterations);
    const double operands = std::min(kMostOperands, loads / steps);
    if (inner.stage != threads.stage) return operands;  // its points are an array's
    const double live = accumulates ? points : std::min(points, kMostLivePoints);
    return words_of(dag_.func(stage.func)) * live + operands;
}

// Arrays of a thread that loops index.
void FeatureExtractor::add_local_arrays(const Kernel &kernel, KernelFeatures &row) const {
    for (const Band *threads : thread_bands(kernel)) {
        for (const BandPtr &inner : threads->body) {
            const Stage &stage = dag_.stage(inner->stage);
            if (homes_[stage.func.index()] != Home::local || stage.index > 0) continue;
            row.local_bytes_per_thread += array_bytes(*inner);
        }
    }
}

double FeatureExtractor::array_bytes(const Band &inner) const {
    const Func &func = dag_.func_of(inner.stage);
    return static_cast<double>(iterations(inner) * func.bytes_per_point());
}

// Bytes of the arrays, in registers or not, that the threads of a band hold.
double FeatureExtractor::working_set(const Band &threads) const {
    double bytes = 0;
    for (const BandPtr &inner : threads.body) {
        const bool is_array = inner->stage != threads.stage && dag_.stage(inner->stage).index == 0;
        if (is_array) bytes += array_bytes(*inner);
    }
    return bytes;
}

// The need of the most demanding stage of a thread, beside addresses and loop counters. What is
// beyond the device's limit is spilled in every pass of that stage, but for a few: the compiler
// finds an order that needs less.
void FeatureExtractor::add_registers(const Kernel &kernel, FeatureTable &table) const {
    constexpr double kSpared = 8;
    const double room = static_cast<double>(gpu_.max_registers_per_thread) + kSpared;
    double most = 0;
    size_t row = 0;
    for (const Band *threads : thread_bands(kernel)) {
        const double arrays = array_registers(*threads);
        for (const BandPtr &inner : threads->body) {
            const StageFeatures &features = table.stages[row++];
            const double need = static_cast<double>(kBusyRegisters) + arrays +
                                tile_registers(*threads, *inner, features);
            most = std::max(most, need);
            table.kernel.spills_per_thread +=
                std::max(1.0, features.serial_iterations) * std::max(0.0, need - room);
        }
    }
    table.kernel.registers_per_thread = most;
}

}  // namespace autoschedule_gpu
