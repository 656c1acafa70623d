#include "scheduler/space/stage_tilings.h"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <tuple>

#include "scheduler/space/chunk_tilings.h"
#include "scheduler/space/row_tilings.h"
#include "scheduler/space/scatter_tilings.h"
#include "scheduler/space/space_facts.h"
#include "scheduler/space/tilings.h"

namespace autoschedule_gpu {

namespace {

StageTilings::OfStage listed(const SpaceFacts &facts, StageId stage) {
    const auto [dag, gpu, rules] = std::tie(facts.dag, facts.gpu, *facts.rules);
    StageTilings::OfStage all;
    RuleCounts &rejections = all.rejections;
    all.tiles = root_tilings(dag, gpu, rules, stage, rejections);
    if (facts.freedom != Freedom::full) return all;
    all.whole = whole_loop_tilings(dag, gpu, stage);
    for (const auto rows : {whole_row_tilings, whole_chunk_tilings, scatter_tilings}) {
        std::ranges::move(rows(dag, gpu, rules, stage, rejections), std::back_inserter(all.rows));
    }
    return all;
}

}  // namespace

struct StageTilings::List {
    std::once_flag once;
    OfStage tilings;
};

void StageTilings::list_anew(StageId stage) {
    lists_[stage.index()] = std::make_shared<List>();
}

const StageTilings::OfStage &StageTilings::of(const SpaceFacts &facts, StageId stage) const {
    static const OfStage kNone;
    List *const list = lists_[stage.index()].get();
    if (list == nullptr) return kNone;
    std::call_once(list->once, [&] { list->tilings = listed(facts, stage); });
    return list->tilings;
}

}  // namespace autoschedule_gpu
