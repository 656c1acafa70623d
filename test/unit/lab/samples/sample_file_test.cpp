#include "lab/samples/sample_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "core/process/temporary_folder.h"
#include "core/support/bytes.h"
#include "core/support/hex.h"
#include "core/support/random.h"
#include "lab/samples/file_header.h"
#include "lab/samples/origin.h"
#include "lab/samples/record.h"
#include "lab/samples/sample_bytes.h"
#include "unit/lab/samples/example_samples.h"

namespace autoschedule_gpu {
namespace {

class SampleFiles : public testing::Test {
protected:
    // A file of one sample per name.
    void write_samples(std::initializer_list<const char *> schedules) {
        std::filesystem::remove(path_);
        for (const char *schedule : schedules) append(schedule);
    }
    void append(const std::string &schedule) {
        const Sample sample = example_sample(schedule);
        const Status done = append_samples(path_, example_origin(), {&sample, 1});
        ASSERT_TRUE(done) << done.error().message;
    }
    void overwrite(const std::string &bytes) { ASSERT_TRUE(write_file(path_, bytes)); }
    std::string bytes() const { return read_file(path_).value(); }

    // Expects the file to hold the samples of these names.
    void expect_samples(std::initializer_list<const char *> schedules) {
        const auto found = read_samples(path_);
        ASSERT_TRUE(found) << found.error().message;
        std::vector<Sample> expected;
        for (const char *schedule : schedules) expected.push_back(example_sample(schedule));
        expect_same(found->samples, expected);
    }
    std::string error_of_reading() const { return without_path(error_of(read_samples(path_))); }
    std::string error_of_appending(const SampleOrigin &origin, const Sample &sample) const {
        return without_path(error_of(append_samples(path_, origin, {&sample, 1})));
    }

    std::string path() const { return path_; }
    std::string folder() const { return folder_.path(); }

private:
    std::string without_path(const std::string &message) const {
        return message.starts_with(path_ + ": ") ? message.substr(path_.size() + 2) : message;
    }

    TemporaryFolder folder_ = TemporaryFolder::create("samples_test_").value();
    std::string path_ = folder_.path() / "h200.samples";
};

TEST_F(SampleFiles, GiveBackOriginAndSamplesInOrder) {
    write_samples({"a", "b", "c"});
    expect_samples({"a", "b", "c"});
    EXPECT_EQ(read_samples(path())->origin, example_origin());
    EXPECT_EQ(read_samples(path())->torn_bytes, 0u);
}

TEST_F(SampleFiles, AreTheSameHoweverManySamplesAreAddedAtATime) {
    write_samples({"a", "b"});
    const std::string one_by_one = bytes();
    std::filesystem::remove(path());
    const Sample both[] = {example_sample("a"), example_sample("b")};
    ASSERT_TRUE(append_samples(path(), example_origin(), both));
    EXPECT_EQ(bytes(), one_by_one);
}

TEST_F(SampleFiles, AreBegunByNoSamplesAndByAnEmptyFile) {
    overwrite("");
    ASSERT_TRUE(append_samples(path(), example_origin(), {}));
    expect_samples({});
    EXPECT_EQ(read_samples(path())->origin, example_origin());
}

TEST_F(SampleFiles, KeepTheOriginThatTheyBeganWith) {
    write_samples({"a"});
    SampleOrigin later = example_origin();
    later.date = "2027-01-01";
    later.command = "collect --pipelines 20";
    const Sample sample = example_sample("b");
    ASSERT_TRUE(append_samples(path(), later, {&sample, 1}));
    EXPECT_EQ(read_samples(path())->origin, example_origin());
}

TEST_F(SampleFiles, AreOfOneDevice) {
    write_samples({"a"});
    const std::string before = bytes();
    SampleOrigin other = example_origin();
    other.device = "NVIDIA H100";
    EXPECT_EQ(error_of_appending(other, example_sample("b")),
              "expected samples of the device 'NVIDIA H200', found some of 'NVIDIA H100': write "
              "them to a file of their own");
    other = example_origin();
    other.gpu.sm_count = 7;
    EXPECT_EQ(error_of_appending(other, example_sample("b")),
              "expected features for a GPU model with sm_count 132, found some for 7: write them "
              "to a file of their own");
    EXPECT_EQ(bytes(), before);
}

TEST_F(SampleFiles, OfAnotherFormatAreLeftAlone) {
    overwrite("other");
    const std::string message =
        "expected a sample file, which begins with 'ASGS', found something else";
    EXPECT_EQ(error_of_reading(), message);
    EXPECT_EQ(error_of_appending(example_origin(), example_sample("a")), message);
    EXPECT_EQ(bytes(), "other");
}

TEST_F(SampleFiles, OfAnotherVersionOrFeatureListAreLeftAlone) {
    write_samples({"a"});
    const std::string good = bytes();
    std::string other = good;
    other[4] = 9;
    overwrite(other);
    EXPECT_EQ(error_of_reading(),
              "expected version 1 of a sample file, found version 9: read it with the release that "
              "wrote it");
    other = good;
    other[8] ^= 1;
    overwrite(other);
    EXPECT_TRUE(error_of_reading().starts_with("expected the feature list "));
    EXPECT_TRUE(error_of_appending(example_origin(), example_sample("b"))
                    .starts_with("expected the feature list "));
    EXPECT_EQ(bytes(), other);
}

TEST_F(SampleFiles, ThatCannotBeOpenedAreErrors) {
    EXPECT_EQ(error_of_reading(), "could not open it: No such file or directory");
    EXPECT_EQ(error_of(read_samples(folder())), folder() + ": could not read it: Is a directory");
    EXPECT_EQ(error_of(append_samples(folder(), example_origin(), {})),
              folder() + ": could not open it: Is a directory");
}

TEST_F(SampleFiles, DoNotTakeSamplesThatCannotBe) {
    Sample sample = example_sample("a");
    sample.times_ms[1] = std::nan("");
    EXPECT_EQ(error_of_appending(example_origin(), sample),
              "sample 0 ('random:17', 'a'): time 1: expected a positive number of milliseconds, "
              "found nan");
    for (const double time : {0.0, -1.0, HUGE_VAL}) {
        sample.times_ms[1] = time;
        EXPECT_NE(error_of_appending(example_origin(), sample), "accepted") << time;
    }
    sample.times_ms.clear();
    EXPECT_EQ(error_of_appending(example_origin(), sample),
              "sample 0 ('random:17', 'a'): expected at least one time, found none");
    sample = example_sample("a");
    sample.kernels.clear();
    EXPECT_EQ(error_of_appending(example_origin(), sample),
              "sample 0 ('random:17', 'a'): expected at least one kernel, found none");
    sample = example_sample("a");
    sample.kernels[1].stages[1].vector_width = -4;
    EXPECT_EQ(error_of_appending(example_origin(), sample),
              "sample 0 ('random:17', 'a'): kernel 1, stage 1, feature vector_width: expected a "
              "number from 0 to 3.4e38, found -4");
    EXPECT_FALSE(std::filesystem::exists(path()));
}

// Bytes of a file whose one sample record is `payload`, with a correct checksum.
std::string file_with(const std::string &payload) {
    return file_header(kSampleFormat) + record_bytes(0, to_json(example_origin())).value() +
           record_bytes(1, payload).value();
}

TEST_F(SampleFiles, LieAsTheReadmeSays) {
    write_samples({"a"});
    EXPECT_EQ(bytes(), file_with(sample_payload(example_sample("a")).value()));
    EXPECT_EQ(bytes().substr(0, 4), "ASGS");

    const std::string all = bytes();
    ByteReader payload(all);
    payload.take(kFileHeaderBytes);
    const uint32_t origin = *payload.take_value<uint32_t>();
    payload.take(sizeof(uint32_t));
    EXPECT_EQ(*payload.take(origin), to_json(example_origin()));
    payload.take(kChecksumBytes + kRecordHeadBytes);
    EXPECT_EQ(payload.take_value<uint64_t>(), 0x0123456789abcdef);
    EXPECT_EQ(payload.take_value<uint32_t>(), 9u);
    EXPECT_EQ(payload.take(9), "random:17");
    EXPECT_EQ(payload.take_value<uint32_t>(), 1u);
    EXPECT_EQ(payload.take(1), "a");
    EXPECT_EQ(payload.take_value<uint32_t>(), 2u);
    EXPECT_EQ(payload.take_value<double>(), 0.25);
    EXPECT_EQ(payload.take_value<double>(), 0.1);
    EXPECT_EQ(payload.take_value<uint32_t>(), 2u);  // kernels
    EXPECT_EQ(payload.take_value<float>(), 10.0f);  // the first feature of the first
}

// Bytes of a file of one sample, as a release with an earlier list of features wrote them.
std::string earlier_file_with(const Sample &sample, const FeatureCounts &counts) {
    std::string payload;
    append_value(payload, sample.code_hash);
    append_text(payload, sample.pipeline);
    append_text(payload, sample.schedule);
    append_value(payload, static_cast<uint32_t>(sample.times_ms.size()));
    for (const double time : sample.times_ms) append_value(payload, time);
    payload += earlier_tables(sample.kernels, counts);
    return earlier_header(kSampleFormat, counts) +
           record_bytes(0, to_json(example_origin())).value() + record_bytes(1, payload).value();
}

TEST_F(SampleFiles, OfAnEarlierFeatureListHaveZerosForWhatTheyLack) {
    for (const FeatureCounts &earlier : api::kEarlierFeatureCounts) {
        Sample sample = example_sample("a");
        overwrite(earlier_file_with(sample, earlier));
        const auto found = read_samples(path());
        ASSERT_TRUE(found) << found.error().message;
        EXPECT_EQ(found->origin, example_origin());
        sample.kernels = without_later_features(sample.kernels, earlier);
        expect_same(found->samples, {sample});
    }
}

TEST_F(SampleFiles, OfAnEarlierFeatureListAreNotAddedTo) {
    for (const FeatureCounts &earlier : api::kEarlierFeatureCounts) {
        const std::string before = earlier_file_with(example_sample("a"), earlier);
        overwrite(before);
        EXPECT_EQ(error_of_appending(example_origin(), example_sample("b")),
                  "expected samples of the earlier feature list " +
                      to_hex(feature_schema_hash(earlier)) + ", found some of " +
                      to_hex(feature_schema_hash()) + ": write them to a file of their own");
        EXPECT_EQ(bytes(), before);
    }
}

TEST_F(SampleFiles, NameTheRecordOfATimeThatCannotBe) {
    std::string payload = sample_payload(example_sample("a")).value();
    // After the hash, two texts of 4 + 9 and 4 + 1 bytes, and the number of times.
    const size_t first_time = 8 + 13 + 5 + 4;
    const double zero = 0;
    std::memcpy(payload.data() + first_time, &zero, sizeof zero);
    overwrite(file_with(payload));
    const size_t offset = file_with(payload).size() - record_bytes(1, payload)->size();
    EXPECT_EQ(error_of_reading(),
              "record 1 at byte " + std::to_string(offset) +
                  ": time 0: expected a positive number of milliseconds, found 0");
}

TEST_F(SampleFiles, CutShortLoseTheLastSampleAndSayHowManyBytes) {
    write_samples({"a", "b"});
    const std::string two = bytes();
    write_samples({"a", "b", "c"});
    const std::string three = bytes();
    for (size_t size = two.size(); size < three.size(); ++size) {
        overwrite(three.substr(0, size));
        expect_samples({"a", "b"});
        EXPECT_EQ(read_samples(path())->torn_bytes, size - two.size());
    }
}

TEST_F(SampleFiles, CutShortAreWholeAgainAfterTheNextAppend) {
    write_samples({"a"});
    const size_t one = bytes().size();
    append(std::string(500, 'x'));  // longer than what is to take its place
    const std::string two = bytes();
    // A step that meets every part of a record.
    for (size_t size = 0; size < two.size(); size += 7) {
        overwrite(two.substr(0, size));
        append("b");
        size < one ? expect_samples({"b"}) : expect_samples({"a", "b"});
        EXPECT_EQ(read_samples(path())->torn_bytes, 0u);
    }
}

TEST_F(SampleFiles, ThatEndBeforeTheFirstRecordHoldNoSamples) {
    write_samples({});
    ASSERT_TRUE(append_samples(path(), example_origin(), {}));
    const std::string origin_only = bytes();
    for (size_t size = 4; size < origin_only.size(); ++size) {
        overwrite(origin_only.substr(0, size));
        EXPECT_EQ(error_of_reading(), "expected the origin of the samples, found the end after " +
                                          std::to_string(size) +
                                          " bytes: the file holds no samples");
    }
}

TEST_F(SampleFiles, WithAnyByteReplacedAreErrors) {
    write_samples({"a", "b"});
    const std::string good = bytes();
    Random random(3);
    for (size_t i = 0; i < good.size(); ++i) {
        std::string damaged = good;
        damaged[i] = static_cast<char>(damaged[i] + random.between(1, 255));
        overwrite(damaged);
        EXPECT_FALSE(read_samples(path())) << i;
    }
}

TEST_F(SampleFiles, NameTheDamagedRecord) {
    write_samples({"a"});
    const size_t second = bytes().size();
    write_samples({"a", "b", "c"});
    const std::string good = bytes();
    std::string damaged = good;
    damaged[second + 50] ^= 1;
    overwrite(damaged);
    const std::string where = "record 2 at byte " + std::to_string(second) + ": ";
    EXPECT_TRUE(error_of_reading().starts_with(where + "expected the checksum "));
    damaged = good;
    damaged[second] ^= 1;  // its length
    overwrite(damaged);
    EXPECT_TRUE(error_of_reading().starts_with(where + "expected a length with the check "));
    EXPECT_EQ(error_of_appending(example_origin(), example_sample("d")), error_of_reading());
    EXPECT_EQ(bytes(), damaged);
}

TEST_F(SampleFiles, ShowARecordThatIsMissingOrOutOfPlace) {
    const Sample a = example_sample("a"), b = example_sample("b");
    const std::string begin =
        file_header(kSampleFormat) + record_bytes(0, to_json(example_origin())).value();
    const std::string first = record_bytes(1, sample_payload(a).value()).value();
    const std::string second = record_bytes(2, sample_payload(b).value()).value();
    overwrite(begin + first + second);
    expect_samples({"a", "b"});
    for (const std::string &wrong : {begin + second, begin + first + first, first + second}) {
        overwrite(wrong);
        EXPECT_FALSE(read_samples(path()));
    }
}

TEST_F(SampleFiles, OfRandomBytesAreErrors) {
    const std::string begin =
        file_header(kSampleFormat) + record_bytes(0, to_json(example_origin())).value();
    Random random(4);
    for (int run = 0; run < 500; ++run) {
        std::string noise(8 + random.below(300), '\0');
        for (char &c : noise) c = static_cast<char>(random.next());
        for (const std::string &wrong :
             {noise, file_header(kSampleFormat) + noise,
              file_header(kSampleFormat) + record_bytes(0, noise).value(), begin + noise,
              file_with(noise)}) {
            overwrite(wrong);
            EXPECT_FALSE(read_samples(path()));
        }
    }
}

TEST_F(SampleFiles, WithAbsurdCountsAreRefusedBeforeMemoryIsTaken) {
    const std::string good = sample_payload(example_sample("a")).value();
    // The sizes of the texts, the number of times and the number of kernels, each after what lies
    // before it: the hash, the texts and two times.
    for (const size_t offset : {8, 8 + 13, 8 + 13 + 5, 8 + 13 + 5 + 4 + 16}) {
        std::string payload = good;
        std::memset(payload.data() + offset, 0xff, sizeof(uint32_t));
        overwrite(file_with(payload));
        EXPECT_TRUE(error_of_reading().starts_with("record 1 at byte ")) << offset;
    }
}

TEST_F(SampleFiles, TakeSamplesOfSeveralProcessesWhileOthersRead) {
    constexpr int kProcesses = 4, kSamples = 25;
    ASSERT_TRUE(append_samples(path(), example_origin(), {}));
    for (int process = 0; process < kProcesses; ++process) {
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child > 0) continue;
        bool good = true;
        for (int i = 0; i < kSamples; ++i) {
            const Sample sample = example_sample(std::to_string(process));
            good = good && append_samples(path(), example_origin(), {&sample, 1}).ok();
        }
        _exit(good ? 0 : 1);
    }
    for (int running = kProcesses; running > 0;) {
        EXPECT_TRUE(read_samples(path()));
        int status = 0;
        const pid_t done = waitpid(-1, &status, WNOHANG);
        ASSERT_GE(done, 0);
        EXPECT_EQ(status, 0);
        running -= done > 0;
    }
    const auto found = read_samples(path());
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(found->samples.size(), size_t{kProcesses * kSamples});
    EXPECT_EQ(found->torn_bytes, 0u);
}

// In a process of its own, for a limit on the size of files stands for a full disk.
TEST_F(SampleFiles, AreAsBeforeWhereTheDiskIsFull) {
    write_samples({"a"});
    const std::string before = bytes();
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{before.size() + 100, before.size() + 100};
        setrlimit(RLIMIT_FSIZE, &limit);
        const std::string error = error_of_appending(example_origin(), example_sample("b"));
        _exit(error == "could not write it: File too large" ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(bytes(), before);
}

}  // namespace
}  // namespace autoschedule_gpu
