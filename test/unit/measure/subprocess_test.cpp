#include "measure/subprocess.h"

#include <gtest/gtest.h>
#include <signal.h>

#include "scratch.h"

namespace autoschedule_gpu {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

ProcessResult shell(const std::string &script, milliseconds timeout = seconds{30}) {
    return run_process({"sh", "-c", script}, timeout).value();
}

TEST(RunProcess, CapturesOutputErrorAndStatus) {
    const ProcessResult result = shell("echo out; echo err >&2; exit 7");
    EXPECT_EQ(result.end, ProcessEnd::exited);
    EXPECT_EQ(result.code, 7);
    EXPECT_EQ(result.out, "out\n");
    EXPECT_EQ(result.err, "err\n");
}

TEST(RunProcess, PassesArgumentsAsTheyAre) {
    const std::string odd = "a b;$HOME '\"*\\\n";
    EXPECT_EQ(run_process({"printf", "%s|", odd, ""}, seconds{30}).value().out, odd + "||");
}

TEST(RunProcess, GivesAnEmptyStandardInput) {
    EXPECT_EQ(shell("cat; echo end").out, "end\n");
}

TEST(RunProcess, ReadsMoreThanAPipeHoldsOnBothEnds) {
    const ProcessResult result = shell(
        "i=0; while [ $i -lt 3000 ]; do printf '%0100d' 0; printf '%0100d' 0 >&2; "
        "i=$((i+1)); done");
    EXPECT_EQ(result.out.size(), 300000u);
    EXPECT_EQ(result.err.size(), 300000u);
}

TEST(RunProcess, StopsAProgramThatDoesNotEnd) {
    const auto start = std::chrono::steady_clock::now();
    const ProcessResult result = shell("echo begun; sleep 600", milliseconds{300});
    EXPECT_EQ(result.end, ProcessEnd::timed_out);
    EXPECT_EQ(result.out, "begun\n");
    EXPECT_LT(std::chrono::steady_clock::now() - start, seconds{30});
}

TEST(RunProcess, StopsAProgramThatHasClosedItsOutput) {
    EXPECT_EQ(shell("exec >&- 2>&-; sleep 600", milliseconds{300}).end, ProcessEnd::timed_out);
}

TEST(RunProcess, DoesNotWaitForChildrenLeftBehind) {
    const auto start = std::chrono::steady_clock::now();
    const ProcessResult result = shell("sleep 600 & echo $!");
    EXPECT_EQ(result.end, ProcessEnd::exited);
    EXPECT_LT(std::chrono::steady_clock::now() - start, seconds{30});
    const pid_t left_behind = std::stoi(result.out);
    for (int i = 0; i < 200 && kill(left_behind, 0) == 0; i++) {
        // Dead but for the one who inherits it, which takes a moment to notice.
        const std::string state =
            read_file("/proc/" + result.out.substr(0, result.out.size() - 1) + "/stat");
        if (state.find(") Z") != std::string::npos) return;
        shell("sleep 0.01");
    }
    EXPECT_NE(kill(left_behind, 0), 0);
}

TEST(RunProcess, TellsAProgramEndedByASignal) {
    const ProcessResult result = shell("kill -9 $$");
    EXPECT_EQ(result.end, ProcessEnd::killed_by_signal);
    EXPECT_EQ(result.code, SIGKILL);
}

TEST(RunProcess, AProgramThatIsNotThereIsAnError) {
    EXPECT_EQ(run_process({"/no/such/program"}, seconds{1}).error().message,
              "cannot start /no/such/program: No such file or directory");
    EXPECT_EQ(run_process({}, seconds{1}).error().message, "cannot start a program without a name");
}

TEST(TemporaryFolder, IsRemovedWithItsContents) {
    std::filesystem::path path;
    {
        const TemporaryFolder folder = TemporaryFolder::create("autoschedule_gpu_test_").value();
        path = folder.path();
        std::filesystem::create_directories(path / "a" / "b");
        EXPECT_TRUE(std::filesystem::is_directory(path));
    }
    EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(TemporaryFolder, IsAnErrorWhereItCannotBeMade) {
    EXPECT_FALSE(TemporaryFolder::create("no/such/folder/").ok());
}

TEST(TemporaryFolder, MovesWithItsOwner) {
    TemporaryFolder first = TemporaryFolder::create("autoschedule_gpu_test_").value();
    const std::filesystem::path path = first.path();
    {
        const TemporaryFolder second(std::move(first));
        EXPECT_EQ(second.path(), path);
    }
    EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace autoschedule_gpu
