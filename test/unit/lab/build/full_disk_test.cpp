#include "lab/build/full_disk.h"

#include <gtest/gtest.h>

#include <csignal>

namespace autoschedule_gpu {
namespace {

constexpr uint64_t kRoom = uint64_t{1} << 30;

ProcessResult ended_by(int signal) {
    ProcessResult result;
    result.end = ProcessEnd::killed_by_signal;
    result.code = signal;
    return result;
}

ProcessResult failed(const std::string &err, const std::string &out = "") {
    return {.code = 1, .out = out, .err = err};
}

TEST(FullDiskReason, RepeatsTheSystemsWordsWhateverProgramSaysThem) {
    struct Case {
        ProcessResult result;
        const char *words;
    };
    for (const Case &c :
         {Case{failed("/usr/bin/ld: final link failed: No space left on device"),
               "No space left on device"},
          Case{failed("LLVM ERROR: IO failure on output stream: No space left on device\n#0 0x1"),
               "No space left on device"},
          Case{failed("", "{\"reason\":\"x.o: Disk quota exceeded\"}"), "Disk quota exceeded"},
          Case{failed("error: unable to write: File too large"), "File too large"},
          Case{ended_by(SIGXFSZ), "File too large"}}) {
        EXPECT_EQ(full_disk_reason(c.result, "work", kRoom),
                  "a file could not be written, in work or among the temporary files (" +
                      std::string(c.words) + "); once there is room, the same command goes on")
            << c.result.err;
    }
}

TEST(FullDiskReason, IsThatOfADiskWithoutRoomWhateverAProgramSays) {
    for (const char *said : {"OpenCL error: CL_BUILD_PROGRAM_FAILURE clBuildProgram failed", ""}) {
        for (const uint64_t free_bytes : {uint64_t{0}, kNoRoomBytes - 1}) {
            EXPECT_EQ(full_disk_reason(failed(said), "work", free_bytes),
                      "the disk of work is full; once there is room, the same command goes on");
        }
    }
}

TEST(FullDiskReason, IsNoneForAFailureOfTheScheduleItself) {
    for (const char *said : {"OpenCL error: CL_BUILD_PROGRAM_FAILURE clBuildProgram failed",
                             "undefined reference to `f'", ""}) {
        EXPECT_EQ(full_disk_reason(failed(said), "work", kNoRoomBytes), std::nullopt);
        EXPECT_EQ(full_disk_reason(failed(said), "work", std::nullopt), std::nullopt);
    }
    EXPECT_EQ(full_disk_reason(ended_by(SIGSEGV), "work", kRoom), std::nullopt);
}

}  // namespace
}  // namespace autoschedule_gpu
