#include <gtest/gtest.h>

#include "lab/ptxas/ptxas.h"
#include "unit/scratch.h"

namespace autoschedule_gpu {
namespace {

class FindPtxas : public ::testing::Test {
protected:
    std::string place(const std::string &name) { return scratch_.program(name, "exit 0"); }
    std::string folder(const std::string &name) { return scratch_.path(name); }
    std::string path_of(const std::string &a, const std::string &b) {
        return "::" + folder(a) + ":" + folder("missing") + ":" + folder(b) + ":";
    }

    Scratch scratch_;
};

TEST_F(FindPtxas, AnExplicitPathIsTheOnlyPlace) {
    const std::string mine = place("mine/assembler");
    place("bin/ptxas");
    EXPECT_EQ(find_ptxas({.explicit_path = mine, .path_variable = folder("bin")}).value(), mine);
    EXPECT_EQ(find_ptxas({.explicit_path = folder("none"), .path_variable = folder("bin")})
                  .error()
                  .message,
              folder("none") + " is not a program");
    EXPECT_FALSE(find_ptxas({.explicit_path = folder("bin")}).ok());
}

TEST_F(FindPtxas, BesideNvccComesBeforePath) {
    place("first/ptxas");
    place("second/nvcc");
    const std::string beside = place("second/ptxas");
    EXPECT_EQ(find_ptxas({.path_variable = path_of("first", "second")}).value(), beside);
}

TEST_F(FindPtxas, FollowsALinkToNvcc) {
    place("toolkit/bin/nvcc");
    const std::string real = place("toolkit/bin/ptxas");
    std::filesystem::create_directories(folder("links"));
    std::filesystem::create_symlink(folder("toolkit/bin/nvcc"), folder("links") + "/nvcc");
    EXPECT_EQ(find_ptxas({.path_variable = folder("links")}).value(),
              std::filesystem::canonical(real).string());
}

TEST_F(FindPtxas, LooksThroughPathInOrder) {
    place("first/nvcc");  // without ptxas beside it
    const std::string found = place("second/ptxas");
    place("third/ptxas");
    EXPECT_EQ(find_ptxas({.path_variable = path_of("second", "third")}).value(), found);
    EXPECT_EQ(find_ptxas({.path_variable = path_of("first", "second")}).value(), found);
}

TEST_F(FindPtxas, PassesOverWhatCannotBeRun) {
    scratch_.write("first/ptxas", "no program");
    std::filesystem::create_directories(folder("second/ptxas"));
    const std::string found = place("third/ptxas");
    EXPECT_EQ(find_ptxas({.path_variable =
                              folder("first") + ":" + folder("second") + ":" + folder("third")})
                  .value(),
              found);
}

TEST_F(FindPtxas, ThenLooksInToolkitFoldersAndLastInTheWheel) {
    const std::string wheel = place("venv/lib/python3.11/site-packages/nvidia/cuda_nvcc/bin/ptxas");
    std::filesystem::create_directories(folder("venv/lib/python3.11/site-packages/nvidia/abc"));
    PtxasSearch search{.path_variable = folder("nothing"),
                       .toolkit_folders = {"", folder("toolkit")},
                       .virtual_environment = folder("venv")};
    EXPECT_EQ(find_ptxas(search).value(), wheel);
    const std::string toolkit = place("toolkit/bin/ptxas");
    EXPECT_EQ(find_ptxas(search).value(), toolkit);
}

TEST_F(FindPtxas, SaysWhereItLooked) {
    EXPECT_EQ(find_ptxas({.toolkit_folders = {"", "/some/toolkit"}, .virtual_environment = "/venv"})
                  .error()
                  .message,
              "ptxas not found (beside nvcc and on PATH, in /some/toolkit/bin, in the Python "
              "packages of /venv); install the CUDA Toolkit or the Python package "
              "nvidia-cuda-nvcc-cu12, or give its path");
    EXPECT_EQ(find_ptxas({}).error().message.rfind("ptxas not found (beside nvcc and on PATH);", 0),
              0u);
}

TEST(ArchitectureOf, IsTheComputeCapability) {
    EXPECT_EQ(architecture_of(find_preset("V100").value()).value(), 70);
    EXPECT_EQ(architecture_of(find_preset("RTX3090").value()).value(), 86);
    EXPECT_EQ(architecture_of(find_preset("H200").value()).value(), 90);
}

TEST(ArchitectureOf, IsAnErrorForADeviceWithoutCuda) {
    EXPECT_EQ(architecture_of(find_preset("opencl-generic").value()).error().message,
              "the GPU 'opencl-generic' has no CUDA architecture for ptxas; choose a CUDA device");
}

}  // namespace
}  // namespace autoschedule_gpu
