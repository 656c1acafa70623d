#include "lab/records/best_records.h"

#include <algorithm>
#include <map>
#include <utility>

namespace autoschedule_gpu {
namespace {

void admit(Champion &champion, const TuningRecord &record) {
    const double ms = *median_ms(record);
    if (champion.record.samples_ms.empty() || ms < champion.median_ms) {
        champion.record = record;
        champion.median_ms = ms;
    }
    if (record.found_by == kFoundByDefault) {
        champion.default_ms = std::min(champion.default_ms.value_or(ms), ms);
    }
}

}  // namespace

Result<std::vector<Champion>> find_champions(RecordStore &store, const RecordFilter &filter) {
    RecordFilter measured = filter;
    measured.outcome = RecordOutcome::measured;
    // With code_hash 0, a key stands for the whole environment.
    std::map<CandidateKey, Champion> found;
    const Status visited = store.visit(measured, [&](const TuningRecord &record) {
        CandidateKey place = key_of(record);
        place.code_hash = 0;
        admit(found[place], record);
        return Status(Ok{});
    });
    if (!visited) return visited.error();
    std::vector<Champion> champions;
    for (auto &[place, champion] : found) champions.push_back(std::move(champion));
    return champions;
}

}  // namespace autoschedule_gpu
