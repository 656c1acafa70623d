#include "lab/build/build_candidate.h"

#include <gtest/gtest.h>

#include "unit/scratch.h"

namespace autoschedule_gpu {
namespace {

using std::chrono::milliseconds;

TEST(GeneratorCommand, HoldsAllThatTheCandidateSays) {
    const Candidate candidate = {.name = "blur_gpu",
                                 .generator = "bin/blur.generator",
                                 .generator_name = "blur",
                                 .target = "host-cuda",
                                 .params = {{"radius", "3"}},
                                 .plugin = "lib/plugin.so",
                                 .scheduler = "GPU",
                                 .scheduler_params = {{"gpu", "A100"}, {"seed", "1"}}};
    EXPECT_EQ(shell_text(generator_command(candidate, "out")),
              "bin/blur.generator -g blur -n blur_gpu -f blur_gpu -o out -e "
              "object,device_code,schedule -p lib/plugin.so target=host-cuda radius=3 "
              "autoscheduler=GPU autoscheduler.gpu=A100 autoscheduler.seed=1");
    EXPECT_EQ(shell_text(generator_command(
                  {.name = "n", .generator = "g", .generator_name = "b", .target = "host"}, "o",
                  {.device_code = false, .schedule = false, .stmt = true})),
              "g -g b -n n -f n -o o -e object,stmt target=host");
}

TEST(LinkCommand, NeedsACCompilerAlone) {
    EXPECT_EQ(shell_text(link_command({.name = "n"}, "out/n.o", "out", "cc")),
              "cc -shared -o out/n.so out/n.o -lpthread -ldl -lm");
    EXPECT_EQ(shell_text(link_command({.name = "n", .runtime = "rt.o"}, "n.o", ".", "cc")),
              "cc -shared -o ./n.so n.o rt.o -lpthread -ldl -lm");
}

TEST(ClassifyGeneratorMessage, TellsSearchFromHalideFromCodeGeneration) {
    struct Case {
        const char *message;
        FailureKind kind;
    };
    for (const Case &c :
         {Case{"Unhandled exception: Error: GPU autoscheduler: unknown parameter",
               FailureKind::search},
          Case{"Unhandled exception: Error: Unknown autoscheduler name 'Nope'; known names are:",
               FailureKind::search},
          Case{"Unhandled exception: Error: Failed to load: x.so", FailureKind::search},
          Case{"Internal Error at /src/autoschedulers/x/Y.cpp:1 triggered by", FailureKind::search},
          Case{"Error: Mullapudi2016 cannot do this", FailureKind::search},
          Case{"Error: Functions cannot be scheduled in between GPU block loops.",
               FailureKind::halide},
          Case{"Internal Error at Simplify.cpp:3", FailureKind::halide},
          Case{"", FailureKind::halide},
          Case{"Unhandled exception: std::bad_alloc", FailureKind::resource},
          Case{"Internal Error at CodeGen_PTX_Dev.cpp:3", FailureKind::compile},
          Case{"LLVM ERROR: Cannot select", FailureKind::compile}}) {
        EXPECT_EQ(classify_generator_message(c.message), c.kind) << c.message;
    }
}

// Generators that are shell scripts: "$8" is the folder, "$4" the name.
class Generating : public ::testing::Test {
protected:
    Candidate candidate(const std::string &script) const {
        return {.name = "blur",
                .generator = scratch_.program("generator", script),
                .generator_name = "blur",
                .target = "host"};
    }
    Outcome<Generated> generated(const std::string &script, const StepLimits &limits = {}) const {
        return generate(candidate(script), scratch_.path("out"), limits);
    }

    Scratch scratch_;
};

TEST_F(Generating, FindsTheFilesThatWereWritten) {
    const auto result =
        generated("echo o > \"$8/$4.o\"; echo s > \"$8/$4.schedule.h\"; echo hm >&2");
    ASSERT_TRUE(result.ok()) << result.error().reason;
    EXPECT_EQ(result->object_path, scratch_.path("out/blur.o"));
    EXPECT_EQ(result->schedule_path, scratch_.path("out/blur.schedule.h"));
    EXPECT_EQ(result->device_code_path, "");
    EXPECT_EQ(result->messages, "hm\n");
    EXPECT_GT(result->cost.wall_s, 0);
    EXPECT_GT(result->cost.peak_memory_bytes, 0);
}

TEST_F(Generating, TakesNoFileOfAnEarlierRun) {
    scratch_.write("out/blur.o", "old");
    scratch_.write("out/blur.device_code", "old");
    const auto result = generated("exit 0");
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().kind, FailureKind::setup);
    EXPECT_FALSE(std::filesystem::exists(scratch_.path("out/blur.device_code")));
}

TEST_F(Generating, ReportsAnErrorInOneLine) {
    const auto result = generated(
        "echo 'Warning: x' >&2; echo 'Unhandled exception: Error: Can only unroll' >&2; "
        "echo '  for loops' >&2; exit 255");
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().kind, FailureKind::halide);
    EXPECT_EQ(result.error().reason, "Can only unroll for loops");
    EXPECT_EQ(result.error().command,
              shell_text(generator_command(candidate(""), scratch_.path("out"))));
    EXPECT_NE(result.error().output.find("Warning: x\n"), std::string::npos);
}

TEST_F(Generating, TakesNoLineOfTheSchedulerForAnError) {
    const auto result = generated(
        "echo 'GPU autoscheduler: A100 (preset), 1 kernel' >&2; echo 'LLVM ERROR: no' >&2; exit 1");
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().kind, FailureKind::compile);
    EXPECT_EQ(result.error().reason, "LLVM ERROR: no");
}

TEST_F(Generating, StopsWhatHangsOrGrowsAndTellsWhatCrashes) {
    auto result =
        generated("echo 'still searching' >&2; sleep 600", {.timeout = milliseconds{300}});
    EXPECT_EQ(result.error().kind, FailureKind::timeout);
    EXPECT_EQ(result.error().reason,
              "the generator did not end within 0.3 s; its last words: still searching");
    result = generated("kill -SEGV $$");
    EXPECT_EQ(result.error().kind, FailureKind::crash);
    EXPECT_EQ(result.error().reason, "the generator was ended by signal 11 (Segmentation fault)");
    result = generated("x=$(head -c 90000000 /dev/zero | tr '\\0' a); sleep 600",
                       {.memory_bytes = 40 << 20});
    EXPECT_EQ(result.error().kind, FailureKind::resource);
    EXPECT_EQ(result.error().reason, "the generator used more than 40 MiB of memory");
}

TEST_F(Generating, NeedsAGeneratorAndAFolder) {
    Candidate none = candidate("");
    none.generator = scratch_.path("none");
    auto result = generate(none, scratch_.path("out"));
    EXPECT_EQ(result.error().kind, FailureKind::setup);
    EXPECT_EQ(result.error().reason,
              "cannot start " + none.generator + ": No such file or directory");
    scratch_.write("file", "");
    EXPECT_EQ(generate(candidate(""), scratch_.path("file/out")).error().kind, FailureKind::setup);
}

// Nothing is known of a schedule whose files found no room.
TEST_F(Generating, OnAFullDiskIsNoFailureOfTheSchedule) {
    for (const char *script :
         {"echo 'LLVM ERROR: IO failure on output stream: No space left on device' >&2; exit 1",
          "echo 'LLVM ERROR: IO failure: No space left on device' >&2; kill -ABRT $$",
          "echo 'Unhandled exception: Error: GPU autoscheduler: t: No space left on device' >&2; "
          "exit 1"}) {
        const auto result = generated(script);
        ASSERT_FALSE(result.ok()) << script;
        EXPECT_EQ(result.error().kind, FailureKind::setup) << script;
        EXPECT_NE(result.error().reason.find("No space left on device"), std::string::npos);
        EXPECT_NE(result.error().reason.find(scratch_.path("out")), std::string::npos);
    }
    const std::string compiler =
        scratch_.program("compiler", "echo 'ld: n.so: Disk quota exceeded' >&2; exit 1");
    const auto linked = link_library({.name = "n"}, "n.o", scratch_.path("."), compiler);
    ASSERT_FALSE(linked.ok());
    EXPECT_EQ(linked.error().kind, FailureKind::setup);
    EXPECT_EQ(linked.error().output, "ld: n.so: Disk quota exceeded\n");
}

TEST_F(Generating, LinksWithAnyCompilerAndReportsItsErrors) {
    const std::string compiler = scratch_.program("compiler", "echo \"$@\" > \"$3\"");
    const auto linked = link_library({.name = "n"}, "n.o", scratch_.path("."), compiler);
    ASSERT_TRUE(linked.ok()) << linked.error().reason;
    EXPECT_EQ(text_of(linked->library_path),
              "-shared -o " + linked->library_path + " n.o -lpthread -ldl -lm\n");
    const auto failed = link_library({.name = "n"}, "/no/such.o", scratch_.path("."), "cc");
    EXPECT_EQ(failed.error().kind, FailureKind::compile);
    EXPECT_TRUE(failed.error().reason.starts_with("the linker failed: "));
    EXPECT_EQ(link_library({.name = "n"}, "n.o", ".", "/no/such/cc").error().kind,
              FailureKind::setup);
}

}  // namespace
}  // namespace autoschedule_gpu
