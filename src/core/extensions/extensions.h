// What users' libraries add to a run.
//
//     loaded libraries ─► version and names checked ─► Extensions ─► rules, models, strategies,
//                                                                    kinds of decisions, executors,
//                                                                    by name
//
// A library is asked anew for each run, and what it gives lives as long as the run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "autoschedule_gpu/register.h"
#include "core/extensions/complaints.h"
#include "core/extensions/loaded_libraries.h"
#include "core/support/error.h"

namespace autoschedule_gpu {

struct Extension {
    std::string library;  // the name that it registers under
    std::string path;
    int32_t version = 0;  // of the public headers that it was built against
    api::Library added;
};

// Names of our own, which libraries may not use again.
struct TakenNames {
    std::vector<std::string_view> rules = {}, models = {}, strategies = {}, decision_kinds = {},
                                  tuner_strategies = {}, executors = {};
};

class Extensions {
public:
    Extensions() = default;

    // Asks the libraries. An error names the library that is of another version, or gives something
    // a name that is taken, or none.
    static Result<Extensions> of(std::span<const LoadedLibrary> libraries, const TakenNames &taken);

    const std::vector<Extension> &all() const { return extensions_; }

    // Of all libraries. Models say in complaint() what costs they gave that no search can use.
    std::vector<api::CostModelMaker> models() const;

    // What a library did in this run that it may not, if it did: a sentence.
    std::optional<std::string> complaint() const { return complaints_->first(); }

private:
    std::vector<Extension> extensions_;
    std::shared_ptr<Complaints> complaints_ = std::make_shared<Complaints>();
};

}  // namespace autoschedule_gpu
