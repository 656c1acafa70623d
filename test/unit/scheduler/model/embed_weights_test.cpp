// cmake/embed_weights.cmake, on two files that CMakeLists.txt has made.
#include <gtest/gtest.h>

#include <string>

#include "core/support/file.h"
#include "scheduler/model/shipped_weights.h"
#include "scheduler/model/weights_file.h"

namespace autoschedule_gpu {
namespace {

TEST(EmbedWeights, KeepsEveryByteAndTheNames) {
    const auto files = shipped_weights();
    ASSERT_EQ(files.size(), 2u);
    EXPECT_EQ(files[0].name, "a100.weights");
    EXPECT_EQ(files[1].name, "h100.weights");
    for (const ShippedFile &file : files) {
        EXPECT_EQ(file.bytes, read_file(WEIGHTS_FOLDER + std::string(file.name)).value());
    }
    EXPECT_EQ(parse_weights(files[1].bytes).value().origin.gpu, "H100");
}

}  // namespace
}  // namespace autoschedule_gpu
