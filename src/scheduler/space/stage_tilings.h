// The tilings of stages at root, each listed when it is first asked for: to list all of a pipeline
// takes as long as to choose among them, and most of what follows a search asks for few.
#pragma once

#include <memory>
#include <vector>

#include "core/dag/dag.h"
#include "scheduler/nest/nest.h"
#include "scheduler/rules/rule_book.h"

namespace autoschedule_gpu {

struct SpaceFacts;

// Safe to ask from any thread. Copies share what is listed.
class StageTilings {
public:
    struct OfStage {
        std::vector<Tiling> tiles;
        std::vector<Tiling> whole;  // only for what is in a thread
        std::vector<Tiling> rows;   // blocks with whole rows or chunks
        RuleCounts rejections;      // met while they were listed

        friend bool operator==(const OfStage &, const OfStage &) = default;
    };

    // Of no stage there are any.
    explicit StageTilings(size_t stages) : lists_(stages) {}

    // There are some of that stage; what is listed is not what copies share.
    void list_anew(StageId stage);

    // `facts`: of the space that this belongs to, or of one that differs in nothing that tilings of
    // the stage depend on.
    const OfStage &of(const SpaceFacts &facts, StageId stage) const;

private:
    struct List;
    std::vector<std::shared_ptr<List>> lists_;  // by StageId; null: there are none
};

}  // namespace autoschedule_gpu
