#include "lab/records/record_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "example_records.h"
#include "lab/records/best_records.h"

namespace autoschedule_gpu {
namespace {

class RecordStoreTest : public ::testing::Test {
protected:
    RecordStore open(const std::string &name = "tuning.records") const {
        return open_store(scratch_.path(name));
    }

    Scratch scratch_;
};

TEST_F(RecordStoreTest, GivesBackWhatWasAdded) {
    TuningRecord measured = example_record(0xffffffffffffffff, 0.1);
    measured.samples_ms = {0.1, 1.0 / 3, 1e-300, 1e300};
    measured.session = "autotune 7";
    measured.compared_ms = {{"final", {3, 4}}, {"\xff", {0.25}}};
    measured.found_by = std::string("\xff odd \0 bytes \xc3\xa9 '\";--", 22);
    measured.features = std::string(70'000, '\0') + "\xff";
    measured.pipeline.size = "";
    measured.tolerance = {.relative = 0.25, .integer_steps = 3};
    TuningRecord bare = example_record(2);
    bare.trace = bare.decisions = bare.features = "";
    bare.predicted_ms = {};
    bare.registers = bare.spill_bytes = {};
    bare.environment.driver = "";
    TuningRecord failed = failed_record(3, FailureKind::wrong_output);
    failed.failure->output = std::string("\x80\x00\n", 3);
    {
        RecordStore store = open();
        for (const TuningRecord &record : {measured, bare, failed}) {
            EXPECT_TRUE(store.add(record).value());
        }
        EXPECT_EQ(*store.list(), (std::vector{measured, bare, failed}));
    }
    RecordStore again = open_store(scratch_.path("tuning.records"), StoreAccess::read_only);
    EXPECT_EQ(*again.list(), (std::vector{measured, bare, failed}));
    EXPECT_EQ(again.find(key_of(measured)).value(), measured);
    EXPECT_EQ(again.find(key_of(example_record(4))).value(), std::nullopt);
    EXPECT_EQ(*again.verify(), std::vector<std::string>());
}

TEST_F(RecordStoreTest, KeepsTheFirstOutcomeOfACandidate) {
    RecordStore store = open();
    ASSERT_TRUE(store.add(example_record(1, 3)).value());
    TuningRecord of_another_plugin = example_record(1, 2);
    of_another_plugin.environment.plugin = "0.2.0";
    of_another_plugin.environment.feature_schema = 1;
    of_another_plugin.found_by = "another";
    EXPECT_FALSE(store.add(of_another_plugin).value());
    EXPECT_FALSE(store.add(failed_record(1)).value());
    EXPECT_EQ(*store.list(), std::vector{example_record(1, 3)});
    for (auto field :
         {&Environment::device, &Environment::driver, &Environment::gpu, &Environment::halide}) {
        TuningRecord elsewhere = example_record(1);
        elsewhere.environment.*field = "other";
        EXPECT_TRUE(store.add(elsewhere).value());
    }
    EXPECT_EQ(store.counts()->measured, 5);
}

TEST_F(RecordStoreTest, LetsAProvisionalFailureGiveWay) {
    RecordStore store = open();
    ASSERT_TRUE(store.add(failed_record(1, FailureKind::lost)).value());
    EXPECT_FALSE(store.add(failed_record(1, FailureKind::setup)).value());
    EXPECT_TRUE(store.add(example_record(1)).value());
    EXPECT_FALSE(store.add(failed_record(1, FailureKind::lost)).value());
    EXPECT_EQ(*store.list(), std::vector{example_record(1)});
    EXPECT_FALSE(is_provisional(FailureKind::timeout));
}

struct Refused {
    const char *what;
    std::function<void(TuningRecord &)> spoil;
};

std::vector<Refused> refused() {
    using Limits = std::numeric_limits<double>;
    return {
        {"found neither", [](auto &r) { r.samples_ms.clear(); }},
        {"nan ms as sample 1", [](auto &r) { r.samples_ms[1] = Limits::quiet_NaN(); }},
        {"inf ms as sample 0", [](auto &r) { r.samples_ms[0] = Limits::infinity(); }},
        {"0 ms as sample 2", [](auto &r) { r.samples_ms[2] = 0; }},
        {"-1 ms as sample 0", [](auto &r) { r.samples_ms[0] = -1; }},
        {"an unverified one", [](auto &r) { r.verified = false; }},
        {"found both", [](auto &r) { r.failure = Failure{}; }},
        {"a failure or a verified output",
         [](auto &r) {
             r.samples_ms.clear();
             r.failure = Failure{};
         }},
        {"hash of the device code", [](auto &r) { r.code_hash = 0; }},
        {"name of the pipeline", [](auto &r) { r.pipeline.name = ""; }},
        {"device", [](auto &r) { r.environment.device = ""; }},
        {"found_by", [](auto &r) { r.found_by = ""; }},
        {"JSON as trace", [](auto &r) { r.trace = "{"; }},
        {"JSON as decisions", [](auto &r) { r.decisions = "\xff"; }},
        {"a time like", [](auto &r) { r.recorded_at = "2026-11-22"; }},
        {"predicted time", [](auto &r) { r.predicted_ms = Limits::quiet_NaN(); }},
        {"registers", [](auto &r) { r.registers = -1; }},
        {"spill bytes", [](auto &r) { r.spill_bytes = -4; }},
        {"a tolerance", [](auto &r) { r.tolerance.relative = Limits::quiet_NaN(); }},
        {"integer steps", [](auto &r) { r.tolerance.integer_steps = -1; }},
    };
}

TEST_F(RecordStoreTest, RefusesWhatIsNeitherMeasuredNorFailed) {
    RecordStore store = open();
    for (const Refused &entry : refused()) {
        TuningRecord record = example_record(1);
        entry.spoil(record);
        const Result<bool> added = store.add(record);
        ASSERT_FALSE(added) << entry.what;
        EXPECT_NE(added.error().message.find(entry.what), std::string::npos)
            << added.error().message;
    }
    EXPECT_TRUE(store.list()->empty());
}

// The tables themselves refuse it, should other programs write.
TEST_F(RecordStoreTest, HasTablesThatTakeNoSuchTime) {
    RecordStore store = open();
    ASSERT_TRUE(store.add(example_record(1)));
    for (const char *ms : {"NULL", "0", "-1", "9e999", "'fast'"}) {
        const std::string number(ms);
        EXPECT_FALSE(store.database().script("UPDATE samples SET ms = " + number)) << ms;
        EXPECT_FALSE(store.database().script("UPDATE records SET median_ms = " + number)) << ms;
    }
    EXPECT_FALSE(store.database().script("UPDATE records SET failure_kind = 'crash'"));
    EXPECT_FALSE(store.database().script("UPDATE records SET float_tolerance = -1"));
    EXPECT_FALSE(store.database().script("UPDATE records SET integer_steps = NULL"));
    EXPECT_FALSE(store.database().script("INSERT INTO samples VALUES (99, 0, 1.0)"));
    EXPECT_EQ(*store.list(), std::vector{example_record(1)});
}

TEST_F(RecordStoreTest, AddsSamplesOfARepeatedMeasurement) {
    RecordStore store = open();
    ASSERT_TRUE(store.add(example_record(1, 2)));
    ASSERT_TRUE(store.add(example_record(2, 1)));
    ASSERT_TRUE(store.add(failed_record(3)));
    const std::vector<double> slow = {9, 9, 9, 9};
    ASSERT_TRUE(store.add_samples(key_of(example_record(2)), "final", slow));
    const TuningRecord compared = store.find(key_of(example_record(2)))->value();
    EXPECT_EQ(compared.samples_ms, example_record(2, 1).samples_ms);
    EXPECT_EQ(compared.compared_ms.at("final"), slow);
    EXPECT_EQ(median_ms(compared), 9);
    // What was cut off, once more.
    ASSERT_TRUE(store.add_samples(key_of(example_record(2)), "final", std::vector<double>{7, 8}));
    EXPECT_EQ(store.find(key_of(example_record(2)))->value().compared_ms.at("final"),
              (std::vector<double>{7, 8}));
    EXPECT_FALSE(store.add_samples(key_of(example_record(1)), "final", std::vector<double>{1, 0}));
    EXPECT_FALSE(store.add_samples(key_of(failed_record(3)), "final", slow));
    EXPECT_FALSE(store.add_samples(key_of(example_record(4)), "final", slow));
    EXPECT_EQ(store.find(key_of(example_record(1))).value(), example_record(1, 2));
    EXPECT_EQ(*store.verify(), std::vector<std::string>());
}

TEST_F(RecordStoreTest, TakesItBackWhenALaterVerificationFails) {
    RecordStore store = open();
    ASSERT_TRUE(store.add(example_record(1, 1)));
    ASSERT_TRUE(store.add(example_record(2, 2)));
    const Failure failure = *failed_record(1, FailureKind::wrong_output).failure;
    ASSERT_TRUE(store.set_failed(key_of(example_record(1)), failure));
    EXPECT_EQ(find_champions(store)->front().record, example_record(2, 2));
    TuningRecord failed_later = example_record(1, 1);  // its times are what a run had decided by
    failed_later.failure = failure;
    failed_later.verified = false;
    EXPECT_EQ(store.find(key_of(example_record(1))).value(), failed_later);
    EXPECT_FALSE(store.add_samples(key_of(example_record(1)), "final", std::vector<double>{1, 2}));
    EXPECT_FALSE(store.set_failed(key_of(example_record(3)), failure));
    EXPECT_EQ(*store.verify(), std::vector<std::string>());
    const RecordCounts counts = *store.counts();
    EXPECT_EQ(counts.measured, 1);
    EXPECT_EQ(counts.failed, (std::map<FailureKind, int64_t>{{FailureKind::wrong_output, 1}}));
}

TEST_F(RecordStoreTest, ListsWhatAFilterMeans) {
    RecordStore store = open();
    TuningRecord other = failed_record(2);
    other.pipeline = {.name = "app:unsharp", .size = "full", .hash = 3};
    other.environment.device = "PoCL";
    ASSERT_TRUE(store.add(example_record(1)));
    ASSERT_TRUE(store.add(other));
    for (const RecordFilter &filter :
         {RecordFilter{.pipeline = "app:unsharp"}, RecordFilter{.size = "full"},
          RecordFilter{.pipeline_hash = 3}, RecordFilter{.device = "PoCL"},
          RecordFilter{.outcome = RecordOutcome::failed}}) {
        EXPECT_EQ(*store.list(filter), std::vector{other});
    }
    EXPECT_EQ(*store.list({.outcome = RecordOutcome::measured}), std::vector{example_record(1)});
    EXPECT_EQ(store.list({.device = "PoCL", .outcome = RecordOutcome::measured})->size(), 0U);
}

TEST(CountsWithin, IsRightWithinNoMoreOrWrongWithinNoLess) {
    const Tolerance strict = {.integer_steps = 1}, loose = {.integer_steps = 2};
    TuningRecord right = example_record(1), wrong = failed_record(2, FailureKind::wrong_output);
    TuningRecord crashed = failed_record(3);
    right.tolerance = wrong.tolerance = crashed.tolerance = strict;
    EXPECT_TRUE(counts_within(right, strict));
    EXPECT_TRUE(counts_within(right, loose));
    EXPECT_FALSE(counts_within(right, {}));
    EXPECT_TRUE(counts_within(wrong, strict));
    EXPECT_FALSE(counts_within(wrong, loose));
    EXPECT_TRUE(counts_within(wrong, {}));
    EXPECT_TRUE(counts_within(crashed, loose));
    EXPECT_TRUE(counts_within(crashed, {}));
}

TEST_F(RecordStoreTest, FindsWhatCountsWithinATolerance) {
    RecordStore store = open();
    TuningRecord loose = example_record(1, 1);
    loose.tolerance.integer_steps = 2;
    ASSERT_TRUE(store.add(loose));
    ASSERT_TRUE(store.add(example_record(2, 3)));
    EXPECT_EQ(store.list({.tolerance = loose.tolerance})->size(), 2U);
    EXPECT_EQ(*store.list({.tolerance = Tolerance{}}), std::vector{example_record(2, 3)});
    EXPECT_EQ(find_champions(store)->front().record, loose);
    const auto champions = find_champions(store, {.tolerance = Tolerance{}});
    EXPECT_EQ(champions->front().record, example_record(2, 3));
}

TEST_F(RecordStoreTest, PutsAnOutcomeUnderAnotherToleranceInPlaceOfTheFirst) {
    RecordStore store = open();
    TuningRecord loose = example_record(1, 1);
    loose.tolerance.integer_steps = 2;
    ASSERT_TRUE(store.add(loose));
    ASSERT_TRUE(store.add_samples(key_of(loose), "final", std::vector<double>{3, 4}));
    EXPECT_FALSE(store.add(example_record(1, 5)).value());
    ASSERT_TRUE(store.replace(example_record(1, 5)));
    EXPECT_EQ(*store.list(), std::vector{example_record(1, 5)});
    EXPECT_FALSE(store.replace(example_record(2)));
    EXPECT_EQ(*store.verify(), std::vector<std::string>());
}

// Files from before tolerances were recorded.
TEST_F(RecordStoreTest, ReadsAFileOfTheFirstVersionAsVerifiedWithinTheUsualTolerance) {
    const std::vector records = {example_record(1), failed_record(2, FailureKind::wrong_output)};
    {
        RecordStore store = open();
        for (const TuningRecord &record : records) ASSERT_TRUE(store.add(record).value());
        ASSERT_TRUE(
            store.database().script("ALTER TABLE records DROP COLUMN float_tolerance;"
                                    "ALTER TABLE records DROP COLUMN integer_steps;"
                                    "PRAGMA user_version=1"));
    }
    {
        RecordStore reader = open_store(scratch_.path("tuning.records"), StoreAccess::read_only);
        EXPECT_EQ(*reader.list(), records);
        EXPECT_EQ(reader.counts()->measured, 1);
        EXPECT_EQ(find_champions(reader)->front().record, records.front());
        EXPECT_EQ(*reader.verify(), std::vector<std::string>());
        RecordStore merged = open("merged.records");
        EXPECT_EQ(merged.merge_from(reader.path())->added, 2);
        EXPECT_EQ(*merged.list(), records);
    }
    RecordStore writer = open();
    EXPECT_EQ(*writer.list(), records);
    EXPECT_EQ(writer.database().integer("PRAGMA user_version").value(), 2);
    EXPECT_TRUE(writer.add(example_record(3)).value());
}

TEST_F(RecordStoreTest, EndsAVisitWithTheVisitorsError) {
    RecordStore store = open();
    ASSERT_TRUE(store.add(example_record(1)));
    ASSERT_TRUE(store.add(example_record(2)));
    int visited = 0;
    const Status done = store.visit({}, [&](const TuningRecord &) {
        ++visited;
        return Status(Error{"enough"});
    });
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().message, "enough");
    EXPECT_EQ(visited, 1);
    EXPECT_TRUE(store.add(example_record(3)).value());
}

TEST_F(RecordStoreTest, VisitsTheSameTwiceWhateverOthersWriteMeanwhile) {
    RecordStore store = open();
    ASSERT_TRUE(store.add(example_record(1)).value());
    RecordStore other = open();
    const auto add_there = [&](const TuningRecord &) {
        const Result<bool> added = other.add(example_record(2));
        return added ? Status(Ok{}) : Status(added.error());
    };
    std::vector<uint64_t> seen;
    const auto note = [&](const TuningRecord &record) {
        seen.push_back(record.code_hash);
        return Status(Ok{});
    };
    ASSERT_TRUE(store.visit_twice({}, add_there, note));
    EXPECT_EQ(seen, std::vector<uint64_t>{1});
    EXPECT_EQ(store.list()->size(), 2U);
}

TEST_F(RecordStoreTest, EndsBothVisitsWithTheFirstVisitorsError) {
    RecordStore store = open();
    ASSERT_TRUE(store.add(example_record(1)).value());
    const auto refuse = [](const TuningRecord &) { return Status(Error{"enough"}); };
    const auto must_not_come = [](const TuningRecord &) {
        ADD_FAILURE();
        return Status(Ok{});
    };
    EXPECT_EQ(store.visit_twice({}, refuse, must_not_come).error().message, "enough");
}

TEST_F(RecordStoreTest, RemembersDraws) {
    RecordStore store = open();
    const Failure crash{.kind = FailureKind::crash, .reason = "it did", .command = "x"};
    EXPECT_TRUE(store.note_draw(example_draw("seed=1", uint64_t{0xffffffffffffffff})).value());
    EXPECT_FALSE(store.note_draw(example_draw("seed=1", uint64_t{3})).value());
    EXPECT_TRUE(store.note_draw(example_draw("seed=2", crash)).value());
    EXPECT_FALSE(store.note_draw(example_draw("seed=2", uint64_t{3})).value());
    EXPECT_EQ(**store.find_draw(example_draw("seed=1", uint64_t{3}).key).value(),
              0xffffffffffffffff);
    EXPECT_EQ(store.find_draw(example_draw("seed=2", uint64_t{3}).key).value()->error(), crash);
    DrawKey other = example_draw("seed=1", uint64_t{3}).key;
    other.environment.plugin = "0.2.0";
    EXPECT_EQ(store.find_draw(other).value().has_value(), false);
    EXPECT_FALSE(store.note_draw(example_draw("", uint64_t{3})));
    EXPECT_FALSE(store.note_draw(example_draw("seed=3", uint64_t{0})));
}

TEST_F(RecordStoreTest, VisitsTheDrawsThatLedToNoCode) {
    RecordStore store = open();
    const Failure refused{.kind = FailureKind::search, .reason = "no tile fits"};
    KnownDraw known = example_draw("seed=1", refused), unknown = example_draw("seed=2", refused);
    known.key.pipeline_hash = example_record(1).pipeline.hash;
    ASSERT_TRUE(store.add(example_record(1)));
    ASSERT_TRUE(store.note_draw(known));
    ASSERT_TRUE(store.note_draw(unknown));
    ASSERT_TRUE(store.note_draw(example_draw("seed=3", uint64_t{1})));
    ASSERT_TRUE(store.note_draw(example_draw(std::string(kStartOfRun) + "a run", refused)));
    const auto visited = [&](const RecordFilter &filter) {
        std::vector<std::string> texts;
        EXPECT_TRUE(store.visit_failed_draws(filter, [&](const FailedDraw &draw) {
            texts.push_back(draw.pipeline.name + ": " + draw.draw + ": " + draw.failure.reason);
            return Status(Ok{});
        }));
        return texts;
    };
    const std::string of_harris = "app:harris: seed=1: no tile fits";
    const std::vector<std::string> all = visited({});
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(std::ranges::count(all, of_harris), 1);
    EXPECT_EQ(std::ranges::count(all, ": seed=2: no tile fits"), 1);
    EXPECT_EQ(visited({.pipeline = "app:harris"}), std::vector{of_harris});
    EXPECT_TRUE(visited({.pipeline = "app:blur"}).empty());
    EXPECT_TRUE(visited({.device = "another"}).empty());
}

TEST_F(RecordStoreTest, DrawsAgainWhatOnlyTheMeasuringFailed) {
    RecordStore store = open();
    const Failure lost{.kind = FailureKind::lost, .reason = "its worker ended"};
    EXPECT_TRUE(store.note_draw(example_draw("seed=1", lost)).value());
    EXPECT_TRUE(store.note_draw(example_draw("seed=1", uint64_t{3})).value());
    EXPECT_FALSE(store.note_draw(example_draw("seed=1", lost)).value());
    EXPECT_EQ(**store.find_draw(example_draw("seed=1", lost).key).value(), 3U);
}

}  // namespace
}  // namespace autoschedule_gpu
