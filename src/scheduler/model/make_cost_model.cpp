#include "scheduler/model/make_cost_model.h"

#include "scheduler/model/analytical.h"
#include "scheduler/model/network_model.h"
#include "scheduler/model/roofline.h"
#include "scheduler/model/weights_file.h"

namespace autoschedule_gpu {

std::unique_ptr<const CostModel> make_cost_model(const ModelChoice &choice, const GpuModel &gpu) {
    switch (choice.kind) {
        case ModelKind::analytical:
            return std::make_unique<Analytical>(gpu);
        case ModelKind::network:
            return std::make_unique<NetworkModel>(choice.weights->network, gpu);
        case ModelKind::added:
            return choice.maker.make(gpu);
        case ModelKind::roofline:
            break;
    }
    return std::make_unique<Roofline>(gpu);
}

std::unique_ptr<const CostModel> make_merging_model(const ModelChoice &choice,
                                                    const GpuModel &gpu) {
    if (choice.kind == ModelKind::analytical) {
        return std::make_unique<Analytical>(gpu, Analytical::Phase::merging);
    }
    return make_cost_model(choice, gpu);
}

}  // namespace autoschedule_gpu
