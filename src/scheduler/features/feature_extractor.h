// From a kernel to its feature table.
//
//     Kernel ─► KernelFacts ─► groups of features ─► FeatureTable
//
// A kernel's features depend on the kernel, the pipeline and the device alone: what other kernels
// do does not matter, so a table may be kept under the kernel's hash. The same kernel has the same
// table whichever extractor made it. Not thread-safe, because an extractor owns scratch memory and
// keeps flat stages: make one per thread.
#pragma once

#include <memory>
#include <span>

#include "core/gpu/gpu_model.h"
#include "scheduler/features/feature_list.h"
#include "scheduler/features/register_use.h"
#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

class ExtractionScratch;
class FlatStages;
struct FeatureGroup;
struct KernelFacts;

class FeatureExtractor {
public:
    // Both must outlive the extractor.
    FeatureExtractor(const Dag &dag, const GpuModel &gpu);
    FeatureExtractor(FeatureExtractor &&) noexcept;
    ~FeatureExtractor();

    FeatureTable extract(const Kernel &kernel);

    // The same of a kernel that was compiled: its registers and spills are those that were found.
    FeatureTable extract(const Kernel &kernel, const RegisterUse &compiled);

    // Returns the features of these groups (scheduler/features/feature_groups.h); others are zero.
    // Their order makes no difference.
    FeatureTable extract(const Kernel &kernel, std::span<const FeatureGroup> groups);

    // Returns the features of a launch with these kernels (scheduler/nest/launch.h). `compiled`:
    // what a compiler found of it; none: it is estimated.
    FeatureTable extract(std::span<const KernelPtr> launch, const RegisterUse *compiled = nullptr);

private:
    KernelFacts facts_of_kernel(const Kernel &kernel);

    const Dag &dag_;
    const GpuModel &gpu_;
    std::unique_ptr<FlatStages> flats_;
    std::unique_ptr<ExtractionScratch> scratch_;
};

}  // namespace autoschedule_gpu
