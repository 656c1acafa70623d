#include "scheduler/schedule/trace.h"

#include <gtest/gtest.h>

#include "core/support/random.h"
#include "scheduler/schedule/cpp_source.h"
#include "unit/scheduler/schedule/example.h"

namespace autoschedule_gpu {
namespace {

using namespace test;

constexpr uint64_t kHash = 0x00c0ffee00c0ffee;

// A trace with one directive, given as text.
std::string trace_of(const std::string &directive) {
    return R"({"format":"autoschedule_gpu.trace","version":1,"pipeline":"0000000000000000",)"
           R"("directives":[)" +
           directive + "]}";
}

std::string error_of(const std::string &json) {
    const Result<Trace> trace = parse_trace(json);
    return trace.ok() ? "accepted" : trace.error().message;
}

TEST(Trace, ComesBackExactly) {
    const Trace trace{example_schedule(), kHash, "a \"tool\" 1.2\n"};
    const Result<Trace> back = parse_trace(to_json(trace));
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(back->schedule, trace.schedule);
    EXPECT_EQ(back->pipeline_hash, kHash);
    EXPECT_EQ(back->producer, trace.producer);
    for (size_t i = 0; i < trace.schedule.size(); ++i) {
        for (size_t k = 0; k < trace.schedule[i].loops.size(); ++k) {
            EXPECT_EQ(back->schedule[i].loops[k].name, trace.schedule[i].loops[k].name);
        }
    }
    EXPECT_EQ(to_json(*back), to_json(trace));
}

TEST(Trace, OfNoDirectivesComesBack) {
    const Result<Schedule> back = from_json(to_json(Schedule{}, 0));
    ASSERT_TRUE(back.ok());
    EXPECT_TRUE(back->empty());
}

TEST(Trace, HasOneDirectivePerLine) {
    Schedule schedule = example_schedule();
    schedule = {schedule[1], schedule[14], schedule[15], schedule[16], schedule[18]};
    EXPECT_EQ(to_json(schedule, kHash), R"({
  "format": "autoschedule_gpu.trace",
  "version": 1,
  "pipeline": "00c0ffee00c0ffee",
  "directives": [
    {"op":"split","func":2,"name":"out","stage":0,"loops":[{"original":0,"name":"x"},{"name":"xb"},{"name":"xi"}],"factor":64,"tail":"ShiftInwards"},
    {"op":"compute_at","func":0,"name":"blur","site_func":1,"site_stage":1,"site_loop":{"name":"rf"}},
    {"op":"store_in","func":0,"name":"blur","memory":"Register"},
    {"op":"in","func":3,"name":"sum_in","wrapped_func":1,"reader_func":2},
    {"op":"in","func":4,"name":"blur_in","wrapped_func":0}
  ]
}
)");
}

TEST(Trace, HasAnAlignmentWithItsDimension) {
    const Schedule schedule = {align_storage(0, "blur", own(1, "y"), 32)};
    const std::string text = to_json(schedule, kHash);
    EXPECT_NE(text.find(R"({"op":"align_storage","func":0,"name":"blur",)"
                        R"("loops":[{"original":1,"name":"y"}],"factor":32})"),
              std::string::npos)
        << text;
    const Result<Schedule> back = from_json(text);
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(*back, schedule);
}

TEST(Trace, HasBothBranchesOfAStage) {
    const std::string text = to_json(two_branches(), kHash);
    EXPECT_NE(text.find(R"({"op":"specialize","func":2,"name":"out","stage":0,)"
                        R"("site_func":2,"least":[64,0],"most":[0,65535]})"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find(R"("stage":0,"branch":"full_tiles","loops")"), std::string::npos) << text;
    const Result<Schedule> back = from_json(text);
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(*back, two_branches());
    const Schedule rows = {specialize_rows_of_sum()};
    EXPECT_EQ(from_json(to_json(rows, kHash)).value(), rows);
}

TEST(Trace, WithANameThatIsNotUtf8IsStillWrittenAndRead) {
    const std::string text = to_json({on_func(DirectiveOp::compute_root, 0, "f\xff")}, 0);
    EXPECT_TRUE(from_json(text).ok()) << text;
}

struct BadTrace {
    std::string json;
    std::string message;  // after "bad schedule trace: "

    friend void PrintTo(const BadTrace &bad, std::ostream *out) { *out << bad.message; }
};

class BadTraceTest : public testing::TestWithParam<BadTrace> {};

TEST_P(BadTraceTest, IsRefusedWithWhereAndWhat) {
    EXPECT_EQ(error_of(GetParam().json), "bad schedule trace: " + GetParam().message);
}

const char kUnroll[] = R"({"op":"unroll","func":0,"name":"f","stage":0,"loops":[{"name":"x"}]})";

INSTANTIATE_TEST_SUITE_P(
    Frame, BadTraceTest,
    testing::Values(
        BadTrace{"[]", "the trace: expected an object, found []"},
        BadTrace{"{}", "the trace: expected the field \"format\", found none"},
        BadTrace{R"({"format":"anderson2021"})",
                 "the trace: expected the format \"autoschedule_gpu.trace\", found "
                 "\"anderson2021\""},
        BadTrace{R"({"format":"autoschedule_gpu.trace","version":2})",
                 "the trace: expected version 1, found 2"},
        BadTrace{R"({"format":"autoschedule_gpu.trace","version":"1"})",
                 "the trace: expected \"version\" to be an integer in [0, 2147483647], found "
                 "\"1\""},
        BadTrace{R"({"format":"autoschedule_gpu.trace","version":1,"pipeline":"12"})",
                 "the trace: expected \"pipeline\" to be 16 lower-case hexadecimal digits, found "
                 "\"12\""},
        BadTrace{R"({"format":"autoschedule_gpu.trace","version":1,)"
                 R"("pipeline":"00000000000000AB","directives":[]})",
                 "the trace: expected \"pipeline\" to be 16 lower-case hexadecimal digits, found "
                 "\"00000000000000AB\""},
        BadTrace{R"({"format":"autoschedule_gpu.trace","version":1,)"
                 R"("pipeline":"0000000000000000","producer":3,"directives":[]})",
                 "the trace: expected \"producer\" to be a string, found 3"},
        BadTrace{R"({"format":"autoschedule_gpu.trace","version":1,)"
                 R"("pipeline":"0000000000000000","directives":{}})",
                 "the trace: expected \"directives\" to be an array, found {}"},
        BadTrace{R"({"format":"autoschedule_gpu.trace","version":1,)"
                 R"("pipeline":"0000000000000000","directives":[],"extra":1})",
                 "the trace: found the unknown field \"extra\", expected only directives, format, "
                 "pipeline, producer, version"},
        BadTrace{R"({"format":"a","format":"b"})",
                 "expected each field once, found \"format\" again"},
        BadTrace{std::string(100, '['), "expected values nested at most 16 deep, found more"}));

INSTANTIATE_TEST_SUITE_P(
    Directive, BadTraceTest,
    testing::Values(
        BadTrace{trace_of("7"), "directive 1: expected an object, found 7"},
        BadTrace{trace_of(std::string(kUnroll) + ",{}"),
                 "directive 2: expected the field \"op\", found none"},
        BadTrace{trace_of(R"({"op":"tile"})"),
                 "directive 1: expected \"op\" to be one of compute_root, compute_at, store_in, "
                 "in, split, fuse, reorder, unroll, vectorize, gpu_blocks, gpu_threads, "
                 "gpu_single_thread, atomic, align_storage, specialize, rfactor, reorder_storage, "
                 "vectorize_aligned, repeat_for_multiples, specialize_aligned, bound_extent, "
                 "for_sizes, compute_with, store_at, vectorize_pixels, bound_storage, "
                 "parallel, specialize_steps, found \"tile\""},
        BadTrace{trace_of(R"({"op":"unroll","func":-1})"),
                 "directive 1: expected \"func\" to be an integer in [0, 2147483647], found -1"},
        BadTrace{trace_of(R"({"op":"unroll","func":0.5})"),
                 "directive 1: expected \"func\" to be an integer in [0, 2147483647], found 0.5"},
        BadTrace{trace_of(R"({"op":"unroll","func":18446744073709551615})"),
                 "directive 1: expected \"func\" to be an integer in [0, 2147483647], found "
                 "18446744073709551615"},
        BadTrace{trace_of(R"({"op":"unroll","func":0,"name":null})"),
                 "directive 1: expected \"name\" to be a string, found null"},
        BadTrace{trace_of(R"({"op":"unroll","func":0,"name":"f","loops":[{"name":"x"}]})"),
                 "directive 1: expected the field \"stage\", found none"},
        BadTrace{trace_of(R"({"op":"unroll","func":0,"name":"f","stage":0,"loops":"x"})"),
                 "directive 1: expected \"loops\" to be an array, found \"x\""},
        BadTrace{trace_of(R"({"op":"unroll","func":0,"name":"f","stage":0,"loops":[]})"),
                 "directive 1 (unroll): expected from 1 to 1 loops, found 0"},
        BadTrace{trace_of(R"({"op":"unroll","func":0,"name":"f","stage":0,"loops":[{}]})"),
                 "directive 1 (unroll), loop 1: expected the field \"name\", found none"},
        BadTrace{trace_of(R"({"op":"unroll","func":0,"name":"f","stage":0,)"
                          R"("loops":[{"original":-1,"name":"x"}]})"),
                 "directive 1 (unroll), loop 1: expected \"original\" to be an integer in "
                 "[0, 2147483647], found -1"},
        BadTrace{trace_of(R"({"op":"unroll","func":0,"name":"f","stage":0,)"
                          R"("loops":[{"name":"x","made":true}]})"),
                 "directive 1 (unroll), loop 1: found the unknown field \"made\", expected only "
                 "name, original"},
        BadTrace{trace_of(R"({"op":"compute_root","func":0,"name":"f","stage":0})"),
                 "directive 1: found the unknown field \"stage\", expected only func, name, op"},
        BadTrace{trace_of(R"({"op":"split","func":0,"name":"f","stage":0,"loops":[{"name":"x"},)"
                          R"({"name":"y"},{"name":"z"}],"factor":0,"tail":"Auto"})"),
                 "directive 1: expected \"factor\" to be an integer in [1, 2147483647], found 0"},
        BadTrace{trace_of(R"({"op":"split","func":0,"name":"f","stage":0,"loops":[{"name":"x"},)"
                          R"({"name":"y"},{"name":"z"}],"factor":2,"tail":"Predicate"})"),
                 "directive 1: expected \"tail\" to be one of Auto, GuardWithIf, ShiftInwards, "
                 "RoundUp, found \"Predicate\""},
        BadTrace{trace_of(R"({"op":"store_in","func":0,"name":"f","memory":"Stack"})"),
                 "directive 1: expected \"memory\" to be one of Auto, GPUShared, Register, Heap, "
                 "found \"Stack\""},
        BadTrace{trace_of(R"({"op":"in","func":3,"name":"f"})"),
                 "directive 1: expected the field \"wrapped_func\", found none"},
        BadTrace{trace_of(R"({"op":"in","func":3,"name":"f","wrapped_func":-1})"),
                 "directive 1: expected \"wrapped_func\" to be an integer in [0, 2147483647], "
                 "found -1"},
        BadTrace{trace_of(R"({"op":"in","func":3,"name":"f","wrapped_func":0,"reader_func":-1})"),
                 "directive 1: expected \"reader_func\" to be an integer in [0, 2147483647], found "
                 "-1"},
        BadTrace{trace_of(R"({"op":"in","func":3,"name":"f","wrapped_func":0,"stage":0})"),
                 "directive 1: found the unknown field \"stage\", expected only func, name, op, "
                 "reader_func, wrapped_func"},
        BadTrace{trace_of(R"({"op":"compute_at","func":0,"name":"f","site_func":1,)"
                          R"("site_stage":0,"site_loop":"x"})"),
                 "directive 1 (compute_at), site_loop: expected an object, found \"x\""}));

TEST(BadJson, IsRefusedWithItsLine) {
    const std::string message = error_of("{\n\"format\": \"autoschedule_gpu.trace\",\n\"version");
    EXPECT_NE(message.find("line 3: expected JSON"), std::string::npos) << message;
    EXPECT_NE(error_of("").find("line 1: expected JSON"), std::string::npos) << error_of("");
    EXPECT_NE(error_of("\"\xff\"").find("expected JSON"), std::string::npos);
}

TEST(BadJson, ALongValueIsNotRepeatedInFull) {
    EXPECT_LT(error_of("\"" + std::string(100000, 'a') + "\"").size(), 300u);
}

TEST(BadJson, DeepNestingCostsNothing) {
    EXPECT_NE(error_of(std::string(1000000, '[')), "accepted");
}

// Changes a valid trace as a bad disk, a bad editor or a bad program would.
std::string mutated(std::string text, const std::string &other, Random &random) {
    const std::string_view tokens[] = {"{",
                                       "}",
                                       "[",
                                       "]",
                                       "\"",
                                       ",",
                                       ":",
                                       "-1",
                                       "1e999",
                                       "null",
                                       "18446744073709551616",
                                       "\\u0000",
                                       "\xff",
                                       "true",
                                       ""};
    for (uint64_t i = 0, count = 1 + random.below(4); i < count && !text.empty(); ++i) {
        const size_t at = random.below(text.size());
        const size_t length = random.below(std::min<size_t>(text.size() - at, 40) + 1);
        switch (random.below(5)) {
            case 0:
                text[at] = static_cast<char>(random.below(256));
                break;
            case 1:
                text.erase(at, length);
                break;
            case 2:
                text.insert(at, text.substr(random.below(text.size()), length));
                break;
            case 3:
                text.replace(at, length, tokens[random.below(std::size(tokens))]);
                break;
            default:
                text.insert(at, other.substr(random.below(other.size()), length));
                break;
        }
    }
    return text;
}

TEST(TraceFuzz, AnyBytesAreReadOrRefusedAndWhatIsReadComesBack) {
    const std::string valid = to_json({example_schedule(), kHash, "fuzz"});
    const Dag dag = example_dag();
    Random random(20211);
    int accepted = 0;
    for (int i = 0; i < 30000; ++i) {
        const std::string text = mutated(valid, valid, random);
        const Result<Trace> trace = parse_trace(text);
        if (!trace) {
            ASSERT_FALSE(trace.error().message.empty());
            continue;
        }
        ++accepted;
        const Result<Trace> back = parse_trace(to_json(*trace));
        ASSERT_TRUE(back.ok()) << text << "\n" << back.error().message;
        ASSERT_EQ(back->schedule, trace->schedule) << text;
        // Neither does a trace that is well formed but senseless upset the other readers.
        (void)check_against(trace->schedule, dag).ok();
        ASSERT_FALSE(cpp_source(trace->schedule, dag).empty()) << text;
    }
    EXPECT_GT(accepted, 100);
}

}  // namespace
}  // namespace autoschedule_gpu
