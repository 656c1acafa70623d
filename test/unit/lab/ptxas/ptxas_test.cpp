#include "lab/ptxas/ptxas.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/lab/ptxas/sample_ptx.h"
#include "unit/scratch.h"

namespace autoschedule_gpu {
namespace {

// A stand-in whose help names sm_75, sm_80 and sm_90a, and which does `body` on PTX.
std::string fake_ptxas(const Scratch &scratch, const std::string &body) {
    return scratch.program("ptxas",
                           "if [ \"$1\" = --help ]; then echo \"values: 'compute_80',"
                           "'sm_80','sm_75','sm_90a'\"; exit 0; fi\n" +
                               body);
}

class FakePtxas : public ::testing::Test {
protected:
    Ptxas with_body(const std::string &body) {
        return Ptxas::open(fake_ptxas(scratch_, body)).value();
    }
    std::string error_of(const std::string &body, const PtxasOptions &options = {}) {
        const auto report = with_body(body).assemble(ptx_, options);
        return report.ok()
                   ? "no error"
                   : std::string(to_string(report.error().kind)) + ": " + report.error().reason;
    }

    Scratch scratch_;
    std::string ptx_ = ptx_head() + small_kernel("k");
};

TEST_F(FakePtxas, KnowsTheArchitecturesOfItsHelpWithoutVariants) {
    EXPECT_EQ(with_body("").architectures(), (std::vector<int>{75, 80}));
}

TEST_F(FakePtxas, TakesTheNearestNewerArchitecture) {
    const Ptxas ptxas = with_body("");
    EXPECT_EQ(ptxas.nearest_architecture(70).value(), 75);
    EXPECT_EQ(ptxas.nearest_architecture(75).value(), 75);
    EXPECT_EQ(ptxas.nearest_architecture(76).value(), 80);
    EXPECT_EQ(ptxas.nearest_architecture(86).error().message,
              ptxas.path() + " knows no architecture from sm_86 on; its newest is sm_80");
}

TEST_F(FakePtxas, IsGivenArchitectureAndRegisterLimit) {
    const std::string error =
        error_of("echo \"$@\" >&2; exit 3", {.architecture = 76, .max_registers = 48});
    EXPECT_NE(error.find("failed: -v -arch=sm_80 -maxrregcount=48 "), std::string::npos) << error;
}

TEST_F(FakePtxas, FailureIsAnErrorWithItsText) {
    EXPECT_EQ(error_of("echo 'ptxas fatal : no' >&2; exit 255"),
              "ptxas: " + scratch_.path("ptxas") + " failed: ptxas fatal : no");
    EXPECT_EQ(error_of("exit 1"), "ptxas: " + scratch_.path("ptxas") + " failed: without a word");
}

TEST_F(FakePtxas, ACrashIsAnErrorWithTheSignal) {
    EXPECT_EQ(error_of("echo oops >&2; kill -11 $$"),
              "crash: " + scratch_.path("ptxas") +
                  " was ended by signal 11 (Segmentation fault); its last words: oops");
}

TEST_F(FakePtxas, ThatSomebodyKilledHasSaidNothingOfTheKernels) {
    EXPECT_EQ(error_of("kill -9 $$"),
              "lost: " + scratch_.path("ptxas") + " was ended by signal 9 (Killed)");
}

TEST_F(FakePtxas, ThatHangsIsStopped) {
    EXPECT_EQ(error_of("sleep 600", {.timeout = std::chrono::milliseconds{300}}),
              "timeout: " + scratch_.path("ptxas") + " did not end within 0.3 s");
}

TEST_F(FakePtxas, ThatKeepsSilentAboutAKernelIsAnError) {
    EXPECT_EQ(error_of("echo nothing"), "ptxas: ptxas says nothing about the kernel k: nothing");
}

TEST_F(FakePtxas, GivesTheKernelsInTheOrderOfThePtx) {
    ptx_ += small_kernel("l");
    const Ptxas ptxas = with_body(
        "for k in l k; do echo \"ptxas info : Compiling entry function '$k' for 'sm_80'\"\n"
        "echo \"ptxas info : Used 9 registers\"; done");
    const PtxasReport report = ptxas.assemble(ptx_, {.architecture = 80}).value();
    ASSERT_EQ(report.kernels.size(), 2u);
    EXPECT_EQ(report.kernels[0].name, "k");
    EXPECT_EQ(report.kernels[1].name, "l");
}

TEST_F(FakePtxas, LeavesNoFileBehind) {
    const std::string told = scratch_.path("told");
    EXPECT_NE(error_of("for last; do :; done; echo \"$last\" > " + told + "; exit 1"), "no error");
    const std::filesystem::path output = text_of(told).substr(0, text_of(told).size() - 1);
    EXPECT_EQ(output.filename(), "module.cubin");
    EXPECT_FALSE(std::filesystem::exists(output.parent_path()));
}

TEST_F(FakePtxas, IsNotRunOnWhatIsNoPtxOrForANewerDevice) {
    ptx_ = "no PTX";
    EXPECT_EQ(error_of("exit 9"), "ptxas: expected PTX, found no .version directive");
    ptx_ = ptx_head("sm_80") + small_kernel("k");
    EXPECT_EQ(error_of("exit 9", {.architecture = 70}),
              "setup: the PTX is for sm_80 or newer, the device is sm_70");
    ptx_ = ptx_head("sm_80") + small_kernel("k");
    EXPECT_NE(error_of("exit 9", {.architecture = 90}).find("its newest is sm_80"),
              std::string::npos);
}

TEST(PtxasOpen, RefusesAnotherProgram) {
    Scratch scratch;
    EXPECT_EQ(Ptxas::open(scratch.program("other", "echo hello")).error().message,
              scratch.path("other") + " is no ptxas: its help names no architecture");
    EXPECT_EQ(Ptxas::open(scratch.program("other", "echo no; exit 4")).error().message,
              scratch.path("other") + " failed: no");
    EXPECT_FALSE(Ptxas::open(scratch.path("none")).ok());
}

// The real program, where this machine has one.
class RealPtxas : public ::testing::Test {
protected:
    void SetUp() override {
        const auto path =
            find_ptxas({.path_variable = environment("PATH"),
                        .toolkit_folders = {environment("CUDA_HOME"), environment("CUDA_PATH")},
                        .virtual_environment = environment("VIRTUAL_ENV")});
        if (!path) GTEST_SKIP() << path.error().message;
        path_ = *path;
    }

    PtxasReport assemble(const std::string &ptx, const PtxasOptions &options = {}) {
        return Ptxas::open(path_).value().assemble(ptx, options).value();
    }

    std::string path_;
};

TEST_F(RealPtxas, FindsNoSpillInASmallKernel) {
    const PtxasReport report = assemble(ptx_head() + small_kernel("k"));
    ASSERT_EQ(report.kernels.size(), 1u);
    EXPECT_EQ(report.kernels[0].name, "k");
    EXPECT_GT(report.kernels[0].registers, 2);
    EXPECT_LT(report.kernels[0].registers, 32);
    EXPECT_EQ(report.kernels[0].spill_store_bytes, 0);
    EXPECT_EQ(report.kernels[0].stack_bytes, 0);
}

TEST_F(RealPtxas, FindsTheSpillsOfAKernelThatNeedsMoreThanItsLimit) {
    const std::string ptx = ptx_head() + wide_kernel("wide", 100);
    const PtxasKernel limited = assemble(ptx).kernels[0];
    EXPECT_LE(limited.registers, 64);
    EXPECT_GE(limited.spill_store_bytes, 4 * (100 - 64));
    EXPECT_GE(limited.spill_load_bytes, 4 * (100 - 64));
    EXPECT_GE(limited.stack_bytes, 4 * (100 - 64));
    const PtxasKernel free = assemble(ptx, {.max_registers = 255}).kernels[0];
    EXPECT_GE(free.registers, 100);
    EXPECT_EQ(free.spill_store_bytes, 0);
}

TEST_F(RealPtxas, KeepsTheOrderOfSeveralModulesAndKernels) {
    const PtxasReport report = assemble(ptx_head() + small_kernel("b") + wide_kernel("a", 40) +
                                        ptx_head() + small_kernel("b"));
    ASSERT_EQ(report.kernels.size(), 3u);
    EXPECT_EQ(report.kernels[0].name, "b");
    EXPECT_EQ(report.kernels[1].name, "a");
    EXPECT_EQ(report.kernels[2].name, "b");
    EXPECT_GE(report.kernels[1].registers, 40);
    EXPECT_EQ(report.kernels[2].registers, report.kernels[0].registers);
}

TEST_F(RealPtxas, ReportsTheArchitectureItUsedInsteadOfAnUnknownOne) {
    const Ptxas ptxas = Ptxas::open(path_).value();
    // One between two that it knows, and PTX that is old enough for both.
    const std::vector<int> known = ptxas.architectures();
    const auto gap = std::adjacent_find(known.begin(), known.end(),
                                        [](int a, int b) { return a >= 60 && b > a + 1; });
    ASSERT_NE(gap, known.end());
    const PtxasReport report =
        ptxas.assemble(ptx_head("sm_50") + small_kernel("k"), {.architecture = *gap + 1}).value();
    EXPECT_EQ(report.requested_architecture, *gap + 1);
    EXPECT_EQ(report.used_architecture, *(gap + 1));
}

TEST_F(RealPtxas, GivesItsOwnTextForBrokenPtx) {
    const auto report =
        Ptxas::open(path_).value().assemble(ptx_head() + ".entry k() { nonsense; }");
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.error().kind, FailureKind::ptxas);
    EXPECT_NE(report.error().reason.find("fatal"), std::string::npos) << report.error().reason;
}

TEST_F(RealPtxas, WarnsOfARegisterLimitThatItCannotKeep) {
    EXPECT_FALSE(assemble(ptx_head() + small_kernel("k"), {.max_registers = 2}).warnings.empty());
}

}  // namespace
}  // namespace autoschedule_gpu
