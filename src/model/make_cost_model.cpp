#include "model/make_cost_model.h"

#include "model/analytical.h"
#include "model/roofline.h"

namespace autoschedule_gpu {

std::unique_ptr<const CostModel> make_cost_model(std::string_view name, const GpuModel &gpu) {
    if (name == "auto" || name == "roofline") return std::make_unique<Roofline>(gpu);
    if (name == "analytical") return std::make_unique<Analytical>(gpu);
    return nullptr;
}

std::unique_ptr<const CostModel> make_merging_model(std::string_view name, const GpuModel &gpu) {
    if (name == "analytical") return std::make_unique<Analytical>(gpu, Analytical::Phase::merging);
    return make_cost_model(name, gpu);
}

}  // namespace autoschedule_gpu
