// The tool itself, run as a user runs it.
#include <gtest/gtest.h>

#include "core/json/json.h"
#include "core/process/subprocess.h"
#include "lab/ptxas/ptxas.h"
#include "unit/lab/ptxas/sample_ptx.h"
#include "unit/scratch.h"

namespace autoschedule_gpu {
namespace {

ProcessResult run_tool(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), PTXAS_REPORT);
    return run_process(arguments, std::chrono::seconds{120}).value();
}

class PtxasReportTool : public ::testing::Test {
protected:
    // Names two kernels, k with a spill.
    std::string fake() {
        return scratch_.program(
            "ptxas",
            "if [ \"$1\" = --help ]; then echo \"'sm_75','sm_80'\"; exit 0; fi\n"
            "echo \"ptxas info : Compiling entry function 'k' for 'sm_75'\"\n"
            "echo 'ptxas info : Function properties for k'\n"
            "echo '    8 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads'\n"
            "echo 'ptxas info : Used 64 registers'\n"
            "echo \"ptxas info : Compiling entry function 'l' for 'sm_75'\"\n"
            "echo 'ptxas info : Used 10 registers'");
    }
    std::string ptx() {
        return scratch_.write("kernels.ptx", ptx_head() + small_kernel("k") + small_kernel("l"));
    }

    Scratch scratch_;
};

TEST_F(PtxasReportTool, PrintsATable) {
    const ProcessResult result = run_tool({"--ptxas", fake(), "--gpu", "rtx 2080 ti", ptx()});
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.out,
              "kernel  registers  spill stores  spill loads  stack bytes  shared bytes\n"
              "k              64            12           16            8             -\n"
              "l              10             0            0            0             -\n");
    EXPECT_EQ(result.err, "");
}

TEST_F(PtxasReportTool, TakesSharedBytesFromTheReportAndWritesJson) {
    const std::string report =
        scratch_.write("report.json", R"({"kernels": [{"name": "l", "shared_bytes": 512}]})");
    const std::string json = scratch_.path("out.json");
    const ProcessResult result =
        run_tool({"--ptxas", fake(), "--gpu", "A100", "--report", report, "--json", json, ptx()});
    EXPECT_EQ(result.code, 0) << result.err;
    const auto kernels = Json::parse(text_of(json)).at("kernels");
    EXPECT_FALSE(kernels[0].contains("shared_bytes"));
    EXPECT_EQ(kernels[0]["spill_load_bytes"], 16);
    EXPECT_EQ(kernels[1]["shared_bytes"], 512);
}

TEST_F(PtxasReportTool, NotesAnArchitectureThatPtxasDoesNotKnow) {
    const std::string ptx =
        scratch_.write("old.ptx", ptx_head("sm_70") + small_kernel("k") + small_kernel("l"));
    const ProcessResult result = run_tool({"--ptxas", fake(), "--gpu", "V100", ptx});
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.err, "note: this ptxas does not know sm_70; assembled for sm_75\n");
}

TEST_F(PtxasReportTool, ExitsWith1IfPtxasFailsOrTheFileIsNoPtx) {
    const std::string failing = scratch_.program(
        "failing", "if [ \"$1\" = --help ]; then echo \"'sm_80'\"; else echo bad; exit 2; fi");
    ProcessResult result = run_tool({"--ptxas", failing, "--gpu", "A100", ptx()});
    EXPECT_EQ(result.code, 1);
    EXPECT_EQ(result.err, "ptxas_report: " + ptx() + ": " + failing + " failed: bad\n");
    result = run_tool({"--ptxas", fake(), "--gpu", "A100", scratch_.write("no.ptx", "text")});
    EXPECT_EQ(result.code, 1);
    result = run_tool({"--ptxas", scratch_.path("none"), "--gpu", "A100", ptx()});
    EXPECT_EQ(result.code, 1);
    result = run_tool({"--ptxas", scratch_.program("other", "echo hi"), ptx()});
    EXPECT_EQ(result.code, 1);
    result = run_tool({"--ptxas", fake(), "--gpu", "A100", "--json", "/no/such/folder/x", ptx()});
    EXPECT_EQ(result.code, 1);
}

TEST_F(PtxasReportTool, ExitsWith2OnBadUsage) {
    const std::vector<std::vector<std::string>> cases = {
        {},
        {scratch_.path("missing.ptx")},
        {"--nonsense", ptx()},
        {"--max-registers", "0", ptx()},
        {"--max-registers", "many", ptx()},
        {"--gpu", "GTX 1", ptx()},
        {"--gpu", "opencl-generic", ptx()},
        {"--gpu", scratch_.path("none.json"), ptx()},
        {"--gpu", "A100", "--report", scratch_.path("none.json"), ptx()},
        {"--gpu", "A100", "--report", scratch_.write("bad.json", "[]"), ptx()}};
    for (const auto &arguments : cases) {
        const ProcessResult result = run_tool(arguments);
        EXPECT_EQ(result.code, 2) << (arguments.empty() ? "" : arguments[0]) << result.err;
        EXPECT_NE(result.err, "");
    }
}

TEST_F(PtxasReportTool, Helps) {
    const ProcessResult result = run_tool({"--help"});
    EXPECT_EQ(result.code, 0);
    for (const char *option : {"--gpu", "--max-registers", "--json", "--report", "--ptxas"}) {
        EXPECT_NE(result.out.find(option), std::string::npos) << option;
    }
}

}  // namespace
}  // namespace autoschedule_gpu
