#include "lab/run/replay.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "core/support/file.h"
#include "unit/scratch.h"

namespace autoschedule_gpu {
namespace {

MeasurementRecord record(const std::string &app, uint64_t code_hash,
                         std::vector<double> samples_ms) {
    return {.device = "A device",
            .key = {.app = app, .size = "full", .code_hash = code_hash},
            .scheduler = "gpu",
            .samples_ms = std::move(samples_ms)};
}

std::string lines(const std::vector<MeasurementRecord> &records) {
    std::string text;
    for (const MeasurementRecord &r : records) text += to_json(r) + "\n";
    return text;
}

TEST(Replay, GivesBackWhatWasRecorded) {
    const Replay replay =
        Replay::parse(lines({record("blur", 7, {2, 1, 3}), record("blur", 8, {5})})).value();
    EXPECT_EQ(replay.device(), "cuda: A device");
    EXPECT_EQ(replay.size(), 2u);
    const auto timing = replay.find({"blur", "full", 7});
    ASSERT_TRUE(timing.ok());
    EXPECT_EQ(timing->median_ms, 2);
    EXPECT_EQ(timing->samples_ms, (std::vector<double>{2, 1, 3}));
}

TEST(Replay, PutsSamplesOfOneKeyTogether) {
    const Replay replay =
        Replay::parse(lines({record("blur", 7, {2}), record("blur", 7, {4, 3})})).value();
    EXPECT_EQ(replay.find({"blur", "full", 7})->samples_ms, (std::vector<double>{2, 4, 3}));
}

TEST(Replay, CreditsNoOtherCodeWithATime) {
    const Replay replay = Replay::parse(lines({record("blur", 7, {2})})).value();
    const auto other = replay.find({"blur", "full", 9});
    ASSERT_FALSE(other.ok());
    EXPECT_EQ(other.error().kind, FailureKind::setup);
    EXPECT_EQ(other.error().reason,
              "no measurement of blur at size 'full' with the device code 0000000000000009 on "
              "'cuda: A device'; there are some with other code");
    EXPECT_EQ(replay.find({"blur", "odd", 7}).error().reason,
              "no measurement of blur at size 'odd' with the device code 0000000000000007 on "
              "'cuda: A device'");
    EXPECT_FALSE(replay.find({"blu", "full", 7}).ok());
}

TEST(Replay, RemembersFailures) {
    MeasurementRecord failed = record("blur", 7, {});
    failed.failure = Failure{.kind = FailureKind::launch, .reason = "too many threads"};
    const Replay replay = Replay::parse(lines({record("blur", 7, {1}), failed})).value();
    const auto outcome = replay.find({"blur", "full", 7});
    ASSERT_FALSE(outcome.ok());
    EXPECT_EQ(outcome.error(), *failed.failure);
}

TEST(Replay, HoldsTheMeasurementsOfOneDevice) {
    MeasurementRecord other = record("blur", 8, {1});
    other.device = "B device";
    EXPECT_EQ(Replay::parse(lines({record("blur", 7, {1}), other})).error().message,
              "line 2: expected a measurement of 'cuda: A device', found one of 'cuda: B device'");
}

TEST(Replay, IsRefusedWithTheLineWhereItIsBad) {
    const std::string good = to_json(record("blur", 255, {1}));
    const auto with = [&](const std::string &from, const std::string &to) {
        std::string text = good;
        text.replace(text.find(from), from.size(), to);
        return "\n" + text + "\n";
    };
    for (const std::string &text :
         {std::string("\nnonsense\n"), std::string("\n[]"), "\n" + good.substr(0, 40),
          with("measurement", "other"), with("\"version\":1", "\"version\":2"),
          with("00000000000000ff", "ff"), with("00000000000000ff", "00000000000000fg"),
          with("[1.0]", "[]"), with("[1.0]", "[-1.0]"), with("[1.0]", "[\"1\"]"),
          with("\"samples_ms\":[1.0]", "\"failure\":{\"kind\":\"odd\",\"reason\":\"\"}"),
          with("\"scheduler\"", "\"planner\"")}) {
        const auto replay = Replay::parse(text);
        ASSERT_FALSE(replay.ok()) << text;
        EXPECT_TRUE(replay.error().message.starts_with("line 2: ")) << replay.error().message;
    }
    EXPECT_EQ(Replay::parse("\n \n").error().message, "expected recorded measurements, found none");
}

TEST(Replay, NamesTheFile) {
    const Scratch scratch;
    EXPECT_EQ(Replay::open(scratch.path("none")).error().message,
              scratch.path("none") + ": cannot be read");
    const std::string bad = scratch.write("bad", "{}\n");
    EXPECT_TRUE(Replay::open(bad).error().message.starts_with(bad + ": line 1: "));
}

TEST(AppendRecord, AddsWholeLinesFromSeveralProcesses) {
    const Scratch scratch;
    const std::string path = scratch.path("records.jsonl");
    constexpr int kProcesses = 4, kRecords = 50;
    std::vector<pid_t> children;
    for (int p = 0; p < kProcesses; p++) {
        const pid_t child = fork();
        if (child == 0) {
            bool ok = true;
            for (int i = 0; i < kRecords; i++) {
                const auto hash = static_cast<uint64_t>(1000 * p + i);
                ok = append_record(path, record("blur", hash, {1.0 + p})).ok() && ok;
            }
            _exit(ok ? 0 : 1);
        }
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = 1;
        waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
    }
    EXPECT_EQ(Replay::open(path)->size(), static_cast<size_t>(kProcesses * kRecords));
    EXPECT_FALSE(append_record("/no/such/folder/file", record("blur", 1, {1})).ok());
}

TEST(AppendRecord, TakesBackWhatAFullDiskLeavesOfALine) {
    const Scratch scratch;
    const std::string path = scratch.path("records.jsonl");
    ASSERT_TRUE(append_record(path, record("blur", 1, {1})).ok());
    const std::string before = read_file(path).value();
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{before.size() + 10, before.size() + 10};
        setrlimit(RLIMIT_FSIZE, &limit);
        _exit(append_record(path, record("blur", 2, {1})).ok() ? 1 : 0);
    }
    int status = 1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(read_file(path).value(), before);
    EXPECT_TRUE(append_record(path, record("blur", 2, {1})).ok());
    EXPECT_EQ(Replay::open(path)->size(), 2u);
}

}  // namespace
}  // namespace autoschedule_gpu
