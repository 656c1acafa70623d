// How a library hands its additions to the autoscheduler. In one of its sources it says
//
//     AUTOSCHEDULE_GPU_LIBRARY(my_rules) {
//         library.models.push_back({"bytes_moved", make_bytes_moved});
//     }
//
// and generators load it beside the plugin, in any order: `-p
// libautoschedule_gpu.so,libmy_rules.so`. Tools that measure are told of it by `--library
// libmy_rules.so`, and tell generators.
//
// Nothing runs when the library is loaded. Whenever the autoscheduler is called, it looks for the
// symbol that the macro exports in all libraries that are loaded, checks the version, and asks for
// the additions anew. The two libraries are not linked to each other. A library must stay loaded.
// Names must differ from the autoscheduler's own and from those of other libraries; the report
// lists them under "extensions". Needs C++17 and the standard library, and a system with dlopen.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "autoschedule_gpu/cost_model.h"
#include "autoschedule_gpu/decision.h"
#include "autoschedule_gpu/executor.h"
#include "autoschedule_gpu/hash.h"
#include "autoschedule_gpu/rule.h"
#include "autoschedule_gpu/search_strategy.h"
#include "autoschedule_gpu/tuner_strategy.h"
#include "autoschedule_gpu/version.h"

namespace autoschedule_gpu::api {

struct Library {
    std::vector<TilingRule> tiling_rules;
    std::vector<FusionRule> fusion_rules;
    std::vector<KernelRule> kernel_rules;
    std::vector<CostModelMaker> models;
    std::vector<std::shared_ptr<const SearchStrategy>> strategies;
    std::vector<std::shared_ptr<const DecisionKind>> decision_kinds;
    // Of tools that measure, which load the library by --library:
    std::vector<std::shared_ptr<const TunerStrategy>> tuner_strategies;
    std::vector<std::shared_ptr<const Executor>> executors;
};

// A number that differs where the layout of shared types does though the version is the same:
// another standard library, another list of features or of a device's fields.
constexpr uint64_t layout_number() {
    Hasher hash(feature_schema_hash());
#define X(type, field, unit, least, greatest, meaning) hash.add(#type " " #field);
    AUTOSCHEDULE_GPU_MODEL_FIELDS(X)
#undef X
    hash.add(sizeof(std::string)).add(sizeof(std::function<void()>)).add(sizeof(Library));
    hash.add(sizeof(GpuModel)).add(sizeof(FeatureTable)).add(sizeof(StageFeatures));
    hash.add(sizeof(Kernel)).add(sizeof(Stage)).add(sizeof(Loop));
    hash.add(sizeof(Directive)).add(sizeof(DecisionValue)).add(sizeof(Options));
    hash.add(sizeof(Trial)).add(sizeof(Neighbour)).add(sizeof(RunRequest)).add(sizeof(RunResult));
    return hash.value();
}

// What a library exports, under the name `autoschedule_gpu_library`. The first two fields are where
// they are in every version.
struct LibraryEntry {
    int32_t api_version;
    const char *name;
    uint64_t layout;  // layout_number()
    void (*fill)(Library &library);
};

}  // namespace autoschedule_gpu::api

#define AUTOSCHEDULE_GPU_LIBRARY(NAME)                                                         \
    static void autoschedule_gpu_fill(::autoschedule_gpu::api::Library &library);              \
    extern "C" {                                                                               \
    extern __attribute__((visibility("default")))                                              \
    const ::autoschedule_gpu::api::LibraryEntry autoschedule_gpu_library;                      \
    const ::autoschedule_gpu::api::LibraryEntry autoschedule_gpu_library = {                   \
        ::autoschedule_gpu::api::kApiVersion, #NAME, ::autoschedule_gpu::api::layout_number(), \
        autoschedule_gpu_fill};                                                                \
    }                                                                                          \
    static void autoschedule_gpu_fill([[maybe_unused]] ::autoschedule_gpu::api::Library &library)
