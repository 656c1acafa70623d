// Files that are not as they should be: an error, never a crash, and nothing that is not right.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include "example_records.h"
#include "lab/records/best_records.h"
#include "lab/records/work_queue.h"
#include "processes.h"

namespace autoschedule_gpu {
namespace {

class DamagedRecords : public ::testing::Test {
protected:
    std::string path() const { return scratch_.path("tuning.records"); }

    // The error of opening, which says `text`; the file stays as it is.
    void expect_refused(const std::string &text, StoreAccess access = StoreAccess::read_write) {
        const std::string before = text_of(path());
        const Result<RecordStore> store = RecordStore::open(path(), access);
        ASSERT_FALSE(store) << text;
        EXPECT_EQ(store.error().message.find(path()), 0U) << store.error().message;
        EXPECT_NE(store.error().message.find(text), std::string::npos) << store.error().message;
        EXPECT_EQ(text_of(path()), before);
    }
    void make(int records) {
        RecordStore store = open_store(path());
        for (int i = 1; i <= records; ++i) {
            ASSERT_TRUE(store.add(example_record(static_cast<uint64_t>(i), i)));
            ASSERT_TRUE(store.add(failed_record(static_cast<uint64_t>(1000 + i))));
            ASSERT_TRUE(store.note_draw(example_draw(std::to_string(i), uint64_t{1})));
            ASSERT_TRUE(WorkQueue(store).enqueue("s", i, "{}"));
        }
    }

    Scratch scratch_;
};

TEST_F(DamagedRecords, AreRefusedIfTheyAreOfAnotherKind) {
    scratch_.write("tuning.records", std::string(5000, 'x'));
    expect_refused("not SQLite's");
    expect_refused("not SQLite's", StoreAccess::read_only);
}

TEST_F(DamagedRecords, AreRefusedIfTheyAreOfAnotherApplication) {
    ASSERT_TRUE(
        Database::open(path(), StoreAccess::read_write).value().script("CREATE TABLE t(x)"));
    expect_refused("another application (0)");
    expect_refused("another application (0)", StoreAccess::read_only);
}

TEST_F(DamagedRecords, AreRefusedIfTheyAreOfANewerVersion) {
    make(1);
    ASSERT_TRUE(open_store(path()).database().script("PRAGMA user_version=7"));
    expect_refused("expected tuning records of version 2 or earlier, found version 7");
    expect_refused("found version 7", StoreAccess::read_only);
}

TEST_F(DamagedRecords, AreNotMadeByWhoOnlyReads) {
    const Result<RecordStore> store = RecordStore::open(path(), StoreAccess::read_only);
    ASSERT_FALSE(store);
    EXPECT_NE(store.error().message.find("no such file"), std::string::npos);
    scratch_.write("tuning.records", "");
    expect_refused("found version 0", StoreAccess::read_only);
    EXPECT_FALSE(RecordStore::open(scratch_.path(""), StoreAccess::read_write));
    EXPECT_FALSE(RecordStore::open("", StoreAccess::read_write));
    const Result<RecordStore> nowhere =
        RecordStore::open(scratch_.path("none/x"), StoreAccess::read_write);
    ASSERT_FALSE(nowhere);
    EXPECT_EQ(nowhere.error().message,
              scratch_.path("none/x") + ": there is no folder " + scratch_.path("none"));
}

TEST_F(DamagedRecords, AreNoFolder) {
    std::filesystem::create_directories(path());
    const Result<RecordStore> store = RecordStore::open(path(), StoreAccess::read_write);
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().message,
              path() + ": expected a file of tuning records, found a folder");
}

TEST_F(DamagedRecords, SayWhatToDo) {
    make(20);
    const std::string whole = text_of(path());
    scratch_.write("tuning.records", whole.substr(0, whole.size() / 2));
    const Result<RecordStore> store = RecordStore::open(path(), StoreAccess::read_only);
    std::string message = store ? "" : store.error().message;
    if (store) {
        RecordStore opened = open_store(path(), StoreAccess::read_only);
        const auto records = opened.list();
        ASSERT_FALSE(records);
        message = records.error().message;
    }
    EXPECT_NE(message.find("is damaged"), std::string::npos) << message;
    EXPECT_NE(message.find(".recover"), std::string::npos) << message;
}

// Everything that a store does, on a file of any content.
void use(const std::string &path, StoreAccess access) {
    Result<RecordStore> opened = RecordStore::open(path, access);
    if (!opened) return;
    RecordStore store = std::move(opened).value();
    (void)store.visit({}, [](const TuningRecord &record) {
        EXPECT_TRUE(check(record));
        return Status(Ok{});
    });
    const auto champions = find_champions(store);
    EXPECT_TRUE(!champions || champions->empty() || check(champions->front().record));
    (void)store.find(key_of(example_record(5)));
    (void)store.find_draw(example_draw("5", uint64_t{1}).key);
    (void)store.counts();
    (void)store.verify();
    (void)store.add(example_record(5000));
    (void)store.add_samples(key_of(example_record(3)), "final", std::vector<double>{1});
    (void)store.set_failed(key_of(example_record(2)), Failure{});
    (void)store.note_draw(example_draw("new", uint64_t{1}));
    (void)store.prune({.keep_fastest = 3, .failed = FailedRecords::drop});
    WorkQueue queue(store);
    const auto job = queue.lease("w", 10);
    if (job && *job) (void)queue.finish(**job, "w", "{}", {.records = {example_record(6000)}});
    (void)queue.results("s");
}

void spoil_and_use(const std::function<void(std::string &bytes, std::mt19937 &random)> &spoil,
                   const std::string &whole, const std::string &path, unsigned seed) {
    std::mt19937 random(seed);
    std::string bytes = whole;
    spoil(bytes, random);
    for (const char *end : {"", "-wal", "-shm"}) std::filesystem::remove(path + end);
    std::ofstream(path, std::ios::binary) << bytes;
    SCOPED_TRACE(seed);
    use(path, seed % 4 == 0 ? StoreAccess::read_only : StoreAccess::read_write);
}

TEST_F(DamagedRecords, CrashNobodyWhereverTheyAreCutShort) {
    make(20);
    const std::string whole = text_of(path());
    for (unsigned seed = 0; seed < 40; ++seed) {
        spoil_and_use([](auto &bytes, auto &random) { bytes.resize(random() % bytes.size()); },
                      whole, path(), seed);
    }
}

TEST_F(DamagedRecords, CrashNobodyWhicheverBytesAreWrong) {
    make(20);
    const std::string whole = text_of(path());
    const auto flip = [](std::string &bytes, std::mt19937 &random) {
        for (size_t flips = 1 + random() % 30; flips > 0; --flips) {
            // Half of them where the pages of the tables begin, whose bytes say where the rest is.
            size_t at = random() % bytes.size();
            if (random() % 2) at -= at % 4096 > 128 ? at % 4096 - random() % 128 : 0;
            bytes[at] = static_cast<char>(random());
        }
    };
    for (unsigned seed = 0; seed < 60; ++seed) spoil_and_use(flip, whole, path(), seed);
}

TEST_F(DamagedRecords, AreFoundByVerify) {
    make(3);
    ASSERT_TRUE(open_store(path()).database().script(
        "PRAGMA ignore_check_constraints=ON;"
        "UPDATE records SET trace = '{' WHERE code_hash = 1;"
        "UPDATE records SET failure_kind = 'boredom' WHERE code_hash = 1001;"
        "UPDATE records SET median_ms = 0.001 WHERE code_hash = 2;"
        "DELETE FROM samples WHERE record = (SELECT id FROM records WHERE code_hash = 3);"
        "UPDATE draws SET code_hash = NULL WHERE draw = '1'"));
    RecordStore store = open_store(path());
    const std::vector<std::string> problems = *store.verify();
    const std::vector<std::string> expected = {
        "CHECK constraint failed in draws", "JSON as trace",        "'boredom'",
        "the median of its samples",        "samples or a failure", "the draw '1' is damaged"};
    ASSERT_EQ(problems.size(), expected.size());
    for (const std::string &text : expected) {
        EXPECT_TRUE(std::any_of(problems.begin(), problems.end(), [&](const std::string &problem) {
            return problem.find(text) != std::string::npos;
        })) << text;
    }
    // A time that was made up does not become the best.
    EXPECT_FALSE(find_champions(store));
}

// Without the rights of root, which may write anywhere.
std::vector<std::string> read_as_stranger(const std::string &path) {
    Child child([&](const Child::Tell &tell) {
        if (geteuid() == 0 && setuid(65534) != 0) _exit(1);
        Result<RecordStore> store = RecordStore::open(path, StoreAccess::read_only);
        if (!store) {
            tell(store.error().message);
            return;
        }
        RecordStore opened = std::move(store).value();
        const auto records = opened.list();
        tell(records ? std::to_string(records->size()) : records.error().message);
    });
    return child.lines();
}

TEST_F(DamagedRecords, CanBeReadWhereNothingCanBeWritten) {
    make(3);
    const std::string folder = scratch_.path("");
    chmod(path().c_str(), 0444);
    chmod(folder.c_str(), 0555);
    EXPECT_EQ(read_as_stranger(path()), std::vector<std::string>{"6"});
    chmod(folder.c_str(), 0755);
}

}  // namespace
}  // namespace autoschedule_gpu
