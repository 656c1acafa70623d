#include "lab/records/best_records.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/support/statistics.h"
#include "lab/records/draw_rows.h"
#include "lab/records/record_rows.h"
#include "lab/verdict/fastest.h"

namespace autoschedule_gpu {
namespace {

// Those whose times can be compared, without their schedules, which may be large.
struct Place {
    std::vector<int64_t> ids = {};
    std::vector<Contender> contenders = {};
    std::vector<bool> has_trace = {};
};

// With code_hash 0, a key stands for the whole environment.
using Places = std::map<CandidateKey, Place>;

Contender contender_of(const TuningRecord &record, const std::set<CandidateKey> &by_default) {
    Contender contender{
        .is_reference = record.found_by == kFoundByDefault || by_default.contains(key_of(record)),
        .first_ms = record.samples_ms};
    for (const auto &[name, times_ms] : record.compared_ms) {
        if (is_of_finals(name)) contender.finals_ms[name] = times_ms;
    }
    return contender;
}

Result<Places> places_of(Database &database, const RecordFilter &filter) {
    const Result<std::set<CandidateKey>> by_default = codes_drawn_as(database, kFoundByDefault);
    if (!by_default) return by_default.error();
    RecordFilter measured = filter;
    measured.outcome = RecordOutcome::measured;
    Places places;
    const Status visited =
        visit_rows(database, measured, [&](int64_t id, const Result<TuningRecord> &record) {
            if (!record) return Status(record.error());
            CandidateKey key = key_of(*record);
            key.code_hash = 0;
            Place &place = places[key];
            place.ids.push_back(id);
            place.contenders.push_back(contender_of(*record, *by_default));
            place.has_trace.push_back(!record->trace.empty());
            return Status(Ok{});
        });
    if (!visited) return visited.error();
    return places;
}

// The reference stays, for it is what others are compared with.
void leave_out_those_without_a_trace(Place &place) {
    if (std::ranges::find(place.has_trace, true) == place.has_trace.end()) return;
    Place left;
    for (size_t i = 0; i < place.ids.size(); ++i) {
        if (!place.has_trace[i] && !place.contenders[i].is_reference) continue;
        left.ids.push_back(place.ids[i]);
        left.contenders.push_back(std::move(place.contenders[i]));
    }
    place = std::move(left);
}

Result<Champion> champion_of(Database &database, const Place &place) {
    const Verdict verdict = *find_fastest(place.contenders);
    Result<std::optional<TuningRecord>> found = find_record(database, place.ids[verdict.winner]);
    if (!found) return found.error();
    Champion champion{.id = place.ids[verdict.winner],
                      .record = *std::move(found).value(),
                      .times_ms = times_that_count(place.contenders, verdict.winner)};
    champion.median_ms = median(champion.times_ms);
    if (verdict.reference) {
        champion.default_ms = median(times_that_count(place.contenders, *verdict.reference));
        champion.times_as_fast = verdict.times_as_fast;
        const bool is_other = verdict.winner != *verdict.reference;
        if (is_other) champion.chance_of_luck = verdict.challengers_luck;
    }
    return champion;
}

}  // namespace

Result<std::vector<Champion>> find_champions(Database &database, const RecordFilter &filter) {
    Result<Places> found = places_of(database, filter);
    if (!found) return found.error();
    Places places = std::move(found).value();
    std::vector<Champion> champions;
    for (auto &[key, place] : places) {
        leave_out_those_without_a_trace(place);
        Result<Champion> champion = champion_of(database, place);
        if (!champion) return champion.error();
        champions.push_back(std::move(champion).value());
    }
    return champions;
}

Result<std::vector<Champion>> find_champions(RecordStore &store, const RecordFilter &filter) {
    Database &database = store.database();
    return database.read([&] { return find_champions(database, filter); });
}

Result<std::vector<TuningRecord>> ranked_records(RecordStore &store, const RecordFilter &filter) {
    Result<std::vector<Champion>> found = find_champions(store, filter);
    if (!found) return found.error();
    std::vector<Champion> champions = std::move(found).value();
    std::ranges::stable_sort(champions, {}, &Champion::median_ms);
    RecordFilter measured = filter;
    measured.outcome = RecordOutcome::measured;
    Result<std::vector<TuningRecord>> listed = store.list(measured);
    if (!listed) return listed;
    std::vector<TuningRecord> others = std::move(listed).value();
    std::ranges::stable_sort(others, {}, [](const TuningRecord &one) { return *median_ms(one); });
    std::vector<TuningRecord> ranked;
    std::set<CandidateKey> taken;
    const auto add = [&](const TuningRecord &record) {
        if (!record.trace.empty() && taken.insert(key_of(record)).second) ranked.push_back(record);
    };
    for (const Champion &champion : champions) add(champion.record);
    for (const TuningRecord &record : others) add(record);
    return ranked;
}

}  // namespace autoschedule_gpu
