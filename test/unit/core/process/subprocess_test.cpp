#include "core/process/subprocess.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <functional>

#include "unit/scratch.h"

namespace autoschedule_gpu {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

ProcessResult shell(const std::string &script, milliseconds timeout = seconds{30}) {
    return run_process({"sh", "-c", script}, timeout).value();
}

// Whether a process has ended within some seconds, be it that nobody has waited for it.
bool ends_soon(pid_t process) {
    for (int i = 0; i < 500; i++) {
        const std::string state = text_of("/proc/" + std::to_string(process) + "/stat");
        if (state.empty() || state.find(") Z") != std::string::npos) return true;
        shell("sleep 0.01");
    }
    return false;
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
    EXPECT_TRUE(ends_soon(std::stoi(result.out)));
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

TEST(RunProcess, TellsHowLongItTook) {
    // The program may begin to sleep a little before the watch does.
    const ProcessResult result = shell("sleep 0.3");
    EXPECT_GE(result.wall_s, 0.2);
    EXPECT_LT(result.wall_s, 20);
}

// Fills a shell variable with that many MiB.
std::string hold_mebibytes(int count) {
    return "x=$(head -c " + std::to_string(count << 20) + " /dev/zero | tr '\\0' 'a'); ";
}

TEST(RunProcess, TellsThePeakOfItsMemory) {
    constexpr int64_t kMiB = int64_t{1} << 20;
    const int64_t small = shell("sleep 0.1").peak_memory_bytes;
    const int64_t large = shell(hold_mebibytes(40) + "sleep 0.1").peak_memory_bytes;
    EXPECT_GT(small, 0);
    EXPECT_LT(small, 20 * kMiB);
    EXPECT_GT(large, 40 * kMiB);
    EXPECT_LT(large, 400 * kMiB);
}

TEST(RunProcess, DoesNotCountThisProcessesMemoryAsTheProgramsOwn) {
    constexpr size_t kBytes = size_t{200} << 20;
    const std::vector<char> own(kBytes, 'x');
    EXPECT_LT(shell("sleep 0.2").peak_memory_bytes, static_cast<int64_t>(kBytes / 4));
    EXPECT_EQ(own.back(), 'x');
}

TEST(RunProcess, StopsAProgramThatTakesTooMuchMemory) {
    const ProcessResult result =
        run_process({"sh", "-c", hold_mebibytes(100) + "sleep 600"}, seconds{60}, 50 << 20).value();
    EXPECT_EQ(result.end, ProcessEnd::out_of_memory);
    EXPECT_EQ(run_process({"sh", "-c", "exit 3"}, seconds{60}, 50 << 20).value().code, 3);
}

// Whether a process ends when the one is killed that runs a script. `tell`, the beginning of a
// command of the script, tells which process.
bool ends_with_who_runs(const std::function<std::string(const std::string &tell)> &script) {
    int ends[2];
    if (pipe(ends) != 0) return false;
    const pid_t parent = fork();
    if (parent == 0) {
        const std::string tell = ">&" + std::to_string(ends[1]) + " echo ";
        static_cast<void>(run_process({"sh", "-c", script(tell)}, seconds{600}));
        _exit(0);
    }
    char text[32] = {};
    const bool is_told = read(ends[0], text, sizeof text - 1) > 0;
    const pid_t process = is_told ? std::stoi(text) : -1;
    const bool has_begun = is_told && kill(process, 0) == 0;
    kill(parent, SIGKILL);
    waitpid(parent, nullptr, 0);
    close(ends[0]);
    close(ends[1]);
    return has_begun && ends_soon(process);
}

TEST(RunProcess, EndsItsProgramWhenItIsKilledItself) {
    EXPECT_TRUE(
        ends_with_who_runs([](const std::string &tell) { return tell + "$$; exec sleep 600"; }));
}

TEST(RunProcess, EndsWhatItsProgramHasStartedWhenItIsKilledItself) {
    EXPECT_TRUE(ends_with_who_runs(
        [](const std::string &tell) { return "sleep 600 & " + tell + "$!; wait"; }));
    EXPECT_TRUE(ends_with_who_runs([](const std::string &tell) {
        return "sh -c 'sleep 600 & " + tell + "$!; wait'; true";
    })) << "of a program that its program has started";
}

// Some programs send signals to all that they have started.
TEST(RunProcess, IsNotEndedByWhatItsProgramSendsToItsGroup) {
    for (const char *name : {"HUP", "INT", "TERM", "USR1", "USR2", "ALRM"}) {
        const std::string signal = name;
        const ProcessResult result =
            shell("trap : " + signal + "; kill -" + signal + " 0; sleep 0.1; echo on");
        EXPECT_EQ(result.end, ProcessEnd::exited) << signal;
        EXPECT_EQ(result.out, "on\n") << signal;
    }
}

// Runs `body` in a fork of this process, whose state it may spoil; true if it returns true there.
template <typename Body>
bool holds_apart(const Body &body) {
    const pid_t child = fork();
    if (child == 0) _exit(body() ? 0 : 1);
    int status = 1;
    waitpid(child, &status, 0);
    return status == 0;
}

TEST(RunProcess, LeavesNoChildOfThisProcess) {
    EXPECT_TRUE(holds_apart([] {
        const bool is_started = run_process({"true"}, seconds{30}).ok();
        const bool is_none_started = !run_process({"/no/such/program"}, seconds{1});
        const bool has_children = waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD;
        return is_started && is_none_started && !has_children;
    }));
}

// As in a daemon.
TEST(RunProcess, CapturesOutputWhereStandardStreamsAreClosed) {
    for (const std::vector<int> &closed :
         {std::vector{0}, {1}, {2}, {0, 1}, {1, 2}, {0, 2}, {0, 1, 2}}) {
        EXPECT_TRUE(holds_apart([&] {
            for (int stream : closed) close(stream);
            const ProcessResult result = shell("cat; echo out; echo err >&2; exit 7");
            return result.code == 7 && result.out == "out\n" && result.err == "err\n";
        })) << closed.size()
            << " from " << closed[0];
    }
}

TEST(RunProcess, DoesNotWaitForAStatusThatIsThrownAway) {
    EXPECT_TRUE(holds_apart([] {
        signal(SIGCHLD, SIG_IGN);
        const auto result = run_process({"true"}, seconds{30});
        return !result && result.error().message.find("SIGCHLD") != std::string::npos;
    }));
}

TEST(ShellText, IsReadBackByAShell) {
    const std::vector<std::string> arguments = {"printf", "%s|", "plain-1.2/x=y", "a b", "it's",
                                                "$HOME",  "",    "\"\n*~"};
    EXPECT_EQ(shell(shell_text(arguments)).out, "plain-1.2/x=y|a b|it's|$HOME||\"\n*~|");
    EXPECT_EQ(shell_text({"cc", "-o", "a b"}), "cc -o 'a b'");
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
