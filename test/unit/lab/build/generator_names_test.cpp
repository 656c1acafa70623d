#include "lab/build/generator_names.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

using Names = std::vector<std::string>;

TEST(GeneratorNames, AreTheIndentedLinesUpToAnEmptyOne) {
    const std::string said =
        "Unhandled exception: Error: Either -g <name> or -r must be specified; available "
        "Generators are:\n";
    EXPECT_EQ(parse_generator_names(said + "    blur\n    mixed \n\n    more\n"),
              (Names{"blur", "mixed"}));
    EXPECT_EQ(parse_generator_names(said), Names());
    EXPECT_EQ(parse_generator_names("Segmentation fault"), Names());
}

TEST(GeneratorMeant, IsCalledAsTheProgramWhereThatSaysNothing) {
    EXPECT_EQ(generator_meant("/bin/true").value(), "true");
    EXPECT_FALSE(generator_meant("/no/such/program"));
}

}  // namespace
}  // namespace autoschedule_gpu
