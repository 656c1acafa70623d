// What all decisions about one pipeline depend on and no state changes: the pipeline, the device,
// the rules, which Funcs are copies or always inlined, and the tilings that exist. Safe to read
// from any thread. (What blocks and threads need of Funcs is remembered, and tilings are listed
// when they are asked for, which changes no result: site_extents.h, stage_tilings.h.)
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/dag/dag.h"
#include "core/gpu/gpu_model.h"
#include "scheduler/rules/rule_book.h"
#include "scheduler/space/site_extents.h"
#include "scheduler/space/stage_tilings.h"

namespace autoschedule_gpu {

// What the space allows: everything; no Func inside the kernel of another; nothing but root, apart
// from Funcs that Halide can't bound elsewhere than inline. For pipelines of which Halide refuses
// what it should accept.
enum class Freedom : uint8_t { full, no_fusion, root_only };

struct SpaceFacts {
    using Tilings = std::vector<std::vector<Tiling>>;  // by StageId

    const Dag &dag;
    const GpuModel &gpu;
    std::shared_ptr<const RuleBook> rules;
    // Without those that users added: asked where nothing else can be decided.
    std::shared_ptr<const RuleBook> own_rules;
    Freedom freedom = Freedom::full;
    std::vector<bool> copies = {};                  // by FuncId
    std::vector<bool> cheap_from_coordinates = {};  // likewise
    std::vector<bool> always_inlined = {};          // likewise
    std::shared_ptr<SiteExtents> site_extents = {};
    StageTilings tilings;
    std::shared_ptr<const Tilings> walks = {};  // if blocks are to walk

    bool is_copy(FuncId func) const { return copies[func.index()]; }
    // Whether the points of a Func in a block may be dealt to its threads
    // (MemberTile::cooperative).
    bool may_be_dealt(FuncId func) const {
        return is_copy(func) || autoschedule_gpu::may_be_dealt(dag, func);
    }
    const StageTilings::OfStage &tilings_of(StageId stage) const {
        return tilings.of(*this, stage);
    }
};

}  // namespace autoschedule_gpu
