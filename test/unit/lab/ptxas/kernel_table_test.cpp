#include "lab/ptxas/kernel_table.h"

#include <gtest/gtest.h>

#include "core/json/json.h"

namespace autoschedule_gpu {
namespace {

std::vector<KernelRow> two_rows() {
    PtxasKernel a{"_kernel_a_s0_x", 64, 36, 32, 40, 16, 400};
    PtxasKernel b{"b", 8};
    return {{"f.ptx", a, {}}, {"g.ptx", b, {}}};
}

TEST(KernelTable, AlignsItsColumns) {
    std::vector<KernelRow> rows = two_rows();
    add_launches(rows, {{"a", 4608}});
    EXPECT_EQ(to_table(rows),
              "kernel          registers  spill stores  spill loads  stack bytes  shared bytes\n"
              "_kernel_a_s0_x         64            36           32           40          4608\n"
              "b                       8             0            0            0             -\n");
}

TEST(KernelTable, WithoutKernelsIsItsHead) {
    EXPECT_EQ(to_table({}),
              "kernel  registers  spill stores  spill loads  stack bytes  "
              "shared bytes\n");
}

TEST(KernelTable, AsJsonLeavesOutWhatIsUnknown) {
    std::vector<KernelRow> rows = two_rows();
    add_launches(rows, {{"b", 0}, {"nobody", 7}});
    const auto json = Json::parse(to_json(rows));
    EXPECT_EQ(json, Json::parse(R"({"kernels": [
        {"file": "f.ptx", "kernel": "_kernel_a_s0_x", "registers": 64, "spill_store_bytes": 36,
         "spill_load_bytes": 32, "stack_bytes": 40, "static_shared_bytes": 16,
         "constant_bytes": 400},
        {"file": "g.ptx", "kernel": "b", "registers": 8, "spill_store_bytes": 0,
         "spill_load_bytes": 0, "stack_bytes": 0, "static_shared_bytes": 0, "constant_bytes": 0,
         "shared_bytes": 0}]})"));
}

}  // namespace
}  // namespace autoschedule_gpu
