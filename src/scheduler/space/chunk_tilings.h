// Tilings for blocks that have whole chunks. An algorithm that is blocked itself (a scan of chunks,
// of which each is shared by thousands of points) computes one chunk per tile only where tiles are
// as large as chunks are; smaller tiles each compute a whole one. This goes beyond the papers.
#pragma once

#include <vector>

#include "core/dag/dag.h"
#include "core/gpu/gpu_model.h"
#include "scheduler/nest/nest.h"
#include "scheduler/rules/rule_book.h"

namespace autoschedule_gpu {

// Those of a stage at root, in a fixed order: along one loop as many points as read the same of
// some Func in turn (4,096 of x, where it reads f(x / 4096)), on 256, 512 or 1,024 threads, whose
// points are consecutive or spread; of the other loops one iteration a block. Only of chunks that
// are larger than the tiles of root_tilings (tilings.h) are along any loop. None that leave SMs
// idle. Rejections are added to `counts`.
std::vector<Tiling> whole_chunk_tilings(const Dag &dag, const GpuModel &gpu, const RuleBook &rules,
                                        StageId stage, RuleCounts &counts);

}  // namespace autoschedule_gpu
