#include "lab/ptxas/kernel_figures.h"

#include <gtest/gtest.h>

#include "unit/lab/ptxas/sample_ptx.h"
#include "unit/scratch.h"

namespace autoschedule_gpu {
namespace {

using std::chrono::seconds;

TEST(KernelFigures, JoinCodeLaunchAndOccupancy) {
    const GpuModel model = find_preset("A100").value();
    const std::vector<PtxasKernel> kernels = {
        {.name = "_kernel_blur_s0_x", .registers = 64, .static_shared_bytes = 16},
        {.name = "_kernel_other_s0_x", .registers = 20}};
    const std::vector<Launch> launches = {
        {.kernel = "blur", .shared_bytes = 1000, .threads = {32, 8, 1}, .blocks = {4, 4, 1}}};
    const std::vector<KernelFigures> figures = kernel_figures(kernels, launches, model);
    ASSERT_EQ(figures.size(), 2u);
    EXPECT_EQ(figures[0].launch->shared_bytes, 1000);
    const Occupancy expected = occupancy(model, 256, 64, 1016);
    EXPECT_EQ(figures[0].occupancy->active_warps_per_sm, expected.active_warps_per_sm);
    EXPECT_EQ(figures[0].occupancy->limit, OccupancyLimit::registers);
    EXPECT_FALSE(figures[1].launch);
    EXPECT_FALSE(figures[1].occupancy);
}

TEST(KernelFigures, OfAnUnknownOrImpossibleBlockHaveNoOccupancy) {
    const GpuModel model = find_preset("A100").value();
    for (const std::array<int64_t, 3> threads :
         {std::array<int64_t, 3>{0, 8, 1}, std::array<int64_t, 3>{INT64_MAX, 8, 1}}) {
        const auto figures =
            kernel_figures({{.name = "k"}}, {{.kernel = "k", .threads = threads}}, model);
        EXPECT_TRUE(figures[0].launch);
        EXPECT_FALSE(figures[0].occupancy);
    }
}

class AssembleKernels : public ::testing::Test {
protected:
    Ptxas fake(const std::string &body) const {
        return Ptxas::open(scratch_.program("ptxas",
                                            "if [ \"$1\" = --help ]; then echo \"'sm_80'\"; "
                                            "exit 0; fi\n" +
                                                body))
            .value();
    }
    std::string ptx() const { return scratch_.write("a.ptx", ptx_head() + small_kernel("k")); }

    Scratch scratch_;
};

TEST_F(AssembleKernels, UseTheModelsArchitectureAndItsRegisters) {
    const Ptxas ptxas = fake("echo \"$@\" > " + scratch_.path("arguments") +
                             "\necho \"ptxas info : Compiling entry function 'k' for 'sm_80'\"\n"
                             "echo 'ptxas info : Used 10 registers'");
    GpuModel model = find_preset("A100").value();
    model.max_registers_per_thread = 48;
    const auto figures = assemble_kernels(ptxas, ptx(), {}, model, seconds{30});
    ASSERT_TRUE(figures.ok()) << figures.error().reason;
    EXPECT_EQ((*figures)[0].code.registers, 10);
    EXPECT_NE(text_of(scratch_.path("arguments")).find("-arch=sm_80 -maxrregcount=48"),
              std::string::npos);
}

TEST_F(AssembleKernels, AreRefusedByPtxasWithItsWordsAndACommand) {
    const Ptxas ptxas = fake("echo 'ptxas fatal : Unresolved extern function'; exit 255");
    const auto figures =
        assemble_kernels(ptxas, ptx(), {}, find_preset("A100").value(), seconds{30});
    ASSERT_FALSE(figures.ok());
    EXPECT_EQ(figures.error().kind, FailureKind::ptxas);
    EXPECT_NE(figures.error().reason.find("Unresolved extern function"), std::string::npos);
    EXPECT_EQ(figures.error().command,
              ptxas.path() + " -v -arch=sm_80 -maxrregcount=64 " + ptx() + " -o /dev/null");
}

TEST_F(AssembleKernels, NeedAFileAndACudaDevice) {
    const Ptxas ptxas = fake("exit 1");
    const GpuModel a100 = find_preset("A100").value();
    EXPECT_EQ(assemble_kernels(ptxas, "/no/such/file", {}, a100, seconds{30}).error().kind,
              FailureKind::setup);
    const GpuModel other = find_preset("opencl-generic").value();
    EXPECT_EQ(assemble_kernels(ptxas, ptx(), {}, other, seconds{30}).error().kind,
              FailureKind::setup);
}

}  // namespace
}  // namespace autoschedule_gpu
