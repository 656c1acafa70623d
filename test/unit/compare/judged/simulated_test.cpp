#include "compare/judged/simulated.h"

#include <gtest/gtest.h>

#include "compare/judged/predictions.h"

namespace autoschedule_gpu {
namespace {

TEST(Simulated, IsReadLineByLine) {
    const auto rows = parse_simulated(
        R"({"application": "mat_mul 256", "schedule": "manual", "generator_parameters": ["M=1"],)"
        R"( "cycles": 30, "kernels": [{"name": "k", "cycles": 30, "grid": "1,1,1"}]})"
        "\n\n"
        R"({"application": "b", "schedule": "x", "generator_parameters": [], "cycles": 1,)"
        R"( "kernels": [], "decisions": {"format": "f"}})");
    ASSERT_TRUE(rows) << rows.error().message;
    ASSERT_EQ(rows->size(), 2u);
    EXPECT_EQ((*rows)[0].generator(), "mat_mul");
    EXPECT_EQ((*rows)[0].generator_parameters, std::vector<std::string>{"M=1"});
    EXPECT_EQ((*rows)[0].kernels.at(0).cycles, 30);
    EXPECT_TRUE((*rows)[0].decisions.empty());
    EXPECT_EQ((*rows)[1].decisions, R"({"format":"f"})");
}

TEST(Simulated, SaysWhichLineIsAtFault) {
    const auto no_json = parse_simulated("{");
    ASSERT_FALSE(no_json);
    EXPECT_EQ(no_json.error().message, "line 1 is no simulated schedule: expected a JSON object");
    const auto no_cycles = parse_simulated(R"({"application": "a", "schedule": "x"})");
    ASSERT_FALSE(no_cycles);
    EXPECT_NE(no_cycles.error().message.find("cycles"), std::string::npos)
        << no_cycles.error().message;
    const auto no_file = read_simulated("/there/is/none");
    EXPECT_FALSE(no_file);
}

TEST(Simulated, KernelsAreKnownByTheirStages) {
    EXPECT_TRUE(is_kernel_of("_kernel_grid_s0_z_block_id_z", "grid"));
    EXPECT_FALSE(is_kernel_of("_kernel_grid_s1_y_block_id_y", "grid"));
    EXPECT_TRUE(is_kernel_of("_kernel_grid_s1_y_block_id_y", "grid.update(0)"));
    EXPECT_FALSE(is_kernel_of("_kernel_grid_1_s0_y_block_id_y", "grid"));
    EXPECT_TRUE(is_kernel_of("_kernel_f__2_s0_y_block_id_y", "f$2"));
    EXPECT_FALSE(is_kernel_of("_kernel_f_2_s0_y_block_id_y", "f$2")) << "that is one of f_2";
}

}  // namespace
}  // namespace autoschedule_gpu
