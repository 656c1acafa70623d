#include "core/extensions/checked_model.h"

#include <cmath>
#include <sstream>
#include <utility>

namespace autoschedule_gpu {
namespace {

// Nanoseconds. The sum over any number of kernels is still finite.
constexpr double kUnusable = 1e30;

class CheckedModel final : public api::CostModel {
public:
    CheckedModel(std::string name, std::string owner, std::shared_ptr<Complaints> complaints,
                 std::unique_ptr<const api::CostModel> model)
        : name_(std::move(name)),
          owner_(std::move(owner)),
          complaints_(std::move(complaints)),
          model_(std::move(model)) {
        if (model_ == nullptr) complain("is none: its maker returned nothing");
    }

    std::string_view name() const override { return name_; }

    void estimate(api::ArrayView<const api::FeatureTable> tables,
                  api::ArrayView<double> costs) const override {
        for (double &cost : costs) cost = kUnusable;
        if (model_ == nullptr || tables.empty()) return;  // who writes one expects a kernel
        model_->estimate(tables, costs);
        for (double &cost : costs) {
            if (std::isfinite(cost) && cost > 0) continue;
            std::ostringstream found;
            found << "gave a kernel the cost " << cost << "; costs must be positive and finite";
            complain(found.str());
            cost = kUnusable;
        }
    }

private:
    void complain(const std::string &what) const {
        complaints_->add("the cost model \"" + name_ + "\" of " + owner_ + " " + what + ".");
    }

    std::string name_, owner_;
    std::shared_ptr<Complaints> complaints_;
    std::unique_ptr<const api::CostModel> model_;
};

}  // namespace

api::CostModelMaker checked(const api::CostModelMaker &maker, const std::string &owner,
                            std::shared_ptr<Complaints> complaints) {
    return {maker.name, [=](const GpuModel &gpu) -> std::unique_ptr<const api::CostModel> {
                return std::make_unique<CheckedModel>(maker.name, owner, complaints,
                                                      maker.make ? maker.make(gpu) : nullptr);
            }};
}

}  // namespace autoschedule_gpu
