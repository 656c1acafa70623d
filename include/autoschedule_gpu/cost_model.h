// What a kernel costs. The search knows models by this interface alone, its own ones too; it ranks
// schedules by the sum of their kernels' costs, for kernels of a pipeline run one after the other.
//
// A model never changes once it is made, is asked from any number of threads at once, and depends
// on the tables alone: costs are remembered. It must not throw. A cost that is not positive and
// finite ends the run with an error that names the model.
//
// A library registers how a model is made for a device (register.h); the user chooses it by
// `autoscheduler.model=NAME`. Needs C++17 and the standard library.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "autoschedule_gpu/array_view.h"
#include "autoschedule_gpu/feature_list.h"
#include "autoschedule_gpu/gpu_model.h"

namespace autoschedule_gpu::api {

class CostModel {
public:
    virtual ~CostModel() = default;

    virtual std::string_view name() const = 0;

    // Nanoseconds per run of each kernel, in the order of the tables; there are as many `costs` as
    // tables. A kernel costs the same whatever the kernels around it are.
    virtual void estimate(ArrayView<const FeatureTable> tables, ArrayView<double> costs) const = 0;
};

// A model by the name that users choose it by. The search may make several, for the device at hand
// and for the same one with fewer registers.
struct CostModelMaker {
    std::string name;
    std::function<std::unique_ptr<const CostModel>(const GpuModel &gpu)> make;
};

}  // namespace autoschedule_gpu::api
