// A cost model of a user's library, whose costs are looked at before a search sees them.
#pragma once

#include <memory>
#include <string>

#include "autoschedule_gpu/cost_model.h"
#include "core/extensions/complaints.h"
#include "core/gpu/gpu_model.h"

namespace autoschedule_gpu {

// The maker of such models. `owner` names the library in complaints: of a cost that is not positive
// and finite, and of a maker that makes none. Such a kernel is taken to be very expensive.
api::CostModelMaker checked(const api::CostModelMaker &maker, const std::string &owner,
                            std::shared_ptr<Complaints> complaints);

}  // namespace autoschedule_gpu
