// Nests, their directives and their features, as text, against the files in this folder. A
// difference is a change of behaviour. If it is meant, write the files anew with
//
//     AUTOSCHEDULE_GPU_UPDATE_GOLD=1 build/test/gold_test
//
// and read what version control says has changed.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "core/dag/scans.h"
#include "core/dag/storage_order.h"
#include "scheduler/features/feature_extractor.h"
#include "scheduler/nest/launch.h"
#include "scheduler/schedule/directives_of_nest.h"
#include "scheduler/space/wrappers.h"
#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu {
namespace {

struct Case {
    std::string name;
    Dag dag;
    std::string nest;
};

// out(x, y) = 0; out(x, y) += f(x + k, y): Halide looks for a compute site by the name of its loop
// in both stages of out.
Dag producer_of_an_update() {
    using example::at;
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), f = b.func("f", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 511}, {"y", 0, 255}});
    b.reads(f, in, {at(0, 0, 1), at(1)}, 2).ops(f, OpKind::add, 30);
    const StageId update =
        b.update(out, {b.over(0, "x"), b.over(1, "y"), b.reduction("k", 0, 7)}, {at(0), at(1)});
    b.reads(update, out, {at(0), at(1)}).reads(update, f, {example::sum(0, 2), at(1)});
    return b.build();
}

// scan(x, y) = up(x, y); scan(x, y) += scan(x, y - 1): the tiles of its first stage end in a guard,
// so that a block at the edge may need less of `up` than a thread's points there.
Dag scan_of_an_upsampling() {
    using example::at;
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), up = b.func("up", {"x", "y"});
    const FuncId scan = b.func("scan", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 511}, {"y", 0, 255}});
    b.reads(up, in, {example::half(0), example::half(1)}).ops(up, OpKind::add, 30);
    b.reads(scan, up, {at(0), at(1)});
    const StageId step = b.update(scan, {b.reduction("r", 1, 255), b.over(0, "x")}, {at(1), at(0)});
    b.reads(step, scan, {at(1), at(0)}).in_place(step).reads(step, scan, {at(1), at(0, -1, -1)});
    b.reads(out, scan, {at(0), at(1)}).ops(out, OpKind::mul, 1);
    return b.computes_all(scan, 1, {0, 255}).build();
}

// source(x, y) = f(in(x, y)); down(x, y) = 0; down(x, r) = down(x, r - 1) + source(x, r).
Dag scan_of_a_source() {
    using example::at;
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), source = b.func("source", {"x", "y"});
    const FuncId down = b.output("down", {{"x", 0, 511}, {"y", 0, 255}});
    b.reads(source, in, {at(0), at(1)}).ops(source, OpKind::mul, 1);
    const StageId step = b.update(down, {b.over(0, "x"), b.reduction("r", 0, 255)}, {at(0), at(1)});
    b.reads(step, down, {at(0), at(1, -1, -1)}).reads(step, source, {at(0), at(1)});
    Dag dag = b.ops(step, OpKind::add, 1).build();
    find_reads_ahead(dag);
    return dag;
}

// state(x, y, k) = in(x, y); state(x, y, 0) += state(x, y, 1); state(x, y, 1) *= state(x, y, 0).
Dag updates_of_a_point() {
    using example::at, example::fixed;
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), state = b.func("state", {"x", "y", "k"});
    const FuncId out = b.output("out", {{"x", 0, 511}, {"y", 0, 255}});
    b.reads(state, in, {at(0), at(1)}).ops(state, OpKind::mul, 1);
    for (const int k : {0, 1}) {
        const StageId update =
            b.update(state, {b.over(0, "x"), b.over(1, "y")}, {at(0), at(1), fixed(k)});
        b.reads(update, state, {at(0), at(1), fixed(0)});
        b.reads(update, state, {at(0), at(1), fixed(1)}).ops(update, OpKind::add, 1);
    }
    b.reads(out, state, {at(0), at(1), example::anywhere(0, 1)});
    return b.build();
}

// f1 reads f0 through a wrapper.
Dag stencil_with_a_wrapper() {
    const Dag dag = example::two_stencils(1536, 1024);
    return with_wrapped_reads(dag, example::sound(dag,
                                                  "kernel f1\n  f1 threads x=32 y=8\n"
                                                  "kernel f0\n  f0 threads x=32 y=8\n"))
        .dag;
}

std::vector<Case> cases() {
    return {
        {"copy", example::copy(512, 256),
         "kernel out\n  out threads x=32 y=8\n    out serial y=2\n"},
        {"copy_of_single_points", example::copy(500, 256), "kernel out\n  out threads x=32 y=8\n"},
        {"interleaved", example::interleaved(512, 256), "kernel out\n  out threads x=32 y=4 c=3\n"},
        {"stencils_in_a_block", example::two_stencils(1536, 1024),
         "kernel f1\n  f0 threads x=34 y=5\n    f0 serial y=4\n"
         "  f1 threads x=32 y=8\n    f1 serial y=2\n"},
        {"stencils_in_threads", example::two_stencils(1536, 1024),
         "kernel f1\n  f1 threads x=32 y=8\n    f0 serial x=3 y=6\n    f1 serial y=4\n"},
        {"chain_on_all_levels", example::stencil_chain(5, 1536, 1024),
         "inline: f2\n"
         "kernel f4\n  f1 threads x=38 y=14\n    f0 serial x=3 y=3\n    f1 serial\n"
         "  f3 threads x=34 y=10\n  f4 threads x=32 y=8\n"},
        {"clamped", example::clamped_stencil(1024, 512),
         "inline: edge\nkernel out\n  out threads x=32 y=8\n    out serial x=2\n"
         "kernel blur\n  blur threads x=64\n    blur serial y=4\n"},
        {"matrix_product", example::matmul_output(512),
         "kernel out\n  out threads x=32 y=8\n"
         "kernel out.update(0)\n  out.update(0) threads x=16 y=8\n"
         "    out.update(0) serial x=2 y=4\n"},
        {"matrix_product_in_threads", example::matmul(512),
         "kernel out\n  out threads x=16 y=8\n    prod serial x=2 y=4\n"
         "    prod.update(0) serial x=2 y=4 k=512\n    out serial x=2 y=4\n"},
        {"matrix_product_in_steps", example::matmul(512),
         "kernel out\n  out threads x=16 y=8\n    prod serial x=2 y=4\n"
         "    prod.update(0) serial x=2 y=4 k=512 steps 4\n    out serial x=2 y=4\n"},
        {"matrix_product_by_vectors_of_steps", example::matmul_of_copies(512),
         "inline: left right\nkernel out\n  out threads x=16 y=8\n    prod serial x=4 y=2\n"
         "    prod.update(0) serial x=4 y=2 k=512\n    out serial x=4 y=2\n"},
        {"update_in_a_block", example::reduced_stencil(1024, 512),
         "kernel out\n  total threads x=9 y=2\n    total serial x=4 y=4\n"
         "  total.update(0) threads x=34 y=2\n    total.update(0) serial r=3 y=4\n"
         "  out threads x=32 y=8\n"},
        {"steps_along_a_row", example::there_and_back(1024, 512),
         "inline: mid\nkernel out\n  out threads x=128\n    out strided x=8 steps 4\n"},
        {"turned_over_in_padded_rows", example::there_and_back(1024, 512),
         "kernel out\n  mid threads x=32 y=8 row 33\n    mid serial y=4\n"
         "  out threads x=32 y=8\n    out serial y=4\n"},
        {"loop_between_blocks_and_threads", example::shifted_patches(1024, 512),
         "kernel out\n  total threads x=32 y=4\n    total serial y=2\n"
         "  diff threads x=17 y=8 in total.update(0)\n    diff serial x=2\n"
         "  total.update(0) threads x=32 y=4 in loop\n    patch serial y=2\n"
         "    total.update(0) serial y=2\n"
         "  out threads x=32 y=8\n"},
        {"producer_of_an_update", producer_of_an_update(),
         "kernel out\n  out threads x=32 y=8\n"
         "kernel out.update(0)\n  f threads x=8\n"
         "  out.update(0) threads\n    out.update(0) serial k=8\n"},
        {"reduction_in_its_wrappers_threads",
         with_wrapped_reductions(example::reduced_stencil(1024, 512)),
         "kernel out\n  out threads x=32 y=8\n"
         "kernel total_global_wrapper$0\n  total_global_wrapper$0 threads x=32 y=8\n"
         "    total serial y=4\n    total.update(0) serial r=3 y=4\n"
         "    total_global_wrapper$0 serial y=4\n"},
        {"updates_in_threads", updates_of_a_point(),
         "kernel out\n  out threads x=32 y=8\n    state serial x=2 k=2\n"
         "    state.update(0) serial x=2\n    state.update(1) serial x=2\n    out serial x=2\n"},
        {"strided_read", stencil_with_a_wrapper(),
         "kernel f1\n  f0_in_f1 threads x=32 y=8\n    f0_in_f1 strided x=2 y=3\n"
         "  f1 threads x=32 y=8\n    f1 serial y=2\n"
         "kernel f0\n  f0 threads x=32 y=8\n    f0 serial y=2\n"},
        {"histogram", example::histogram(512, 256),
         "kernel out\n  out threads x=32 y=8\nkernel hist\n  hist threads i=32\n"
         "kernel hist.update(0)\n"},
        {"histogram_by_atomics", example::row_histograms(512, 256),
         "kernel out\n  out threads x=32 y=8\nkernel hist\n  hist threads i=32\n"
         "kernel hist.update(0) blocks r=256\n  rows threads i=256\n"
         "  rows.update(0) threads c=256\n    rows.update(0) serial c=2\n"
         "  hist.update(0) threads i=256\n"},
        {"sums_by_atomics", example::row_sums(512, 64),
         "kernel out\n  out threads y=32\nkernel rows\n  rows threads y=32\n"
         "kernel rows.update(0) blocks c=2 y=64\n  rows.update(0) threads c=64\n"
         "    rows.update(0) serial c=4\n"},
        {"scan", example::iir(1024, 512),
         "kernel out\n  out threads x=32 y=8\nkernel scan\n  scan threads x=32 y=8\n"
         "kernel scan.update(0)\n  scan.update(0) threads y=32\n"},
        {"scan_in_steps", example::iir(1024, 512),
         "kernel out\n  out threads x=32 y=8\nkernel scan\n  scan threads x=32 y=8\n"
         "kernel scan.update(0)\n  scan.update(0) threads y=32\n"
         "    scan.update(0) serial r=1023 steps 16\n"},
        {"scan_with_loads_ahead", scan_of_a_source(),
         "inline: source\nkernel down\n  down threads x=32 y=8\n"
         "kernel down.update(0)\n  down.update(0) threads x=32\n"
         "    down.update(0) serial r=256 steps 16\n"},
        {"upsampling_in_a_guarded_block", scan_of_an_upsampling(),
         "kernel out\n  out threads x=32 y=8\n"
         "kernel scan\n  up threads x=32 y=2\n    up serial y=4\n"
         "  scan threads x=32\n    scan serial y=8\n"
         "kernel scan.update(0)\n  scan.update(0) threads x=32\n"
         "    scan.update(0) serial r=255\n"},
        {"turned_storage", with_innermost(example::there_and_back(512, 256), FuncId(1), 1),
         "kernel out\n  out threads x=32 y=8\nkernel mid\n  mid threads y=32 x=8\n"},
        {"siblings_in_one_launch", example::siblings_of_two_sizes(512, 256),
         "kernel out\n  out threads x=32 y=8\n"
         "kernel dx with dx\n  dx threads x=32 y=8\n    dx serial y=2\n"
         "kernel dy with dx\n  dy threads x=16 y=8\n"},
        {"full_tiles_in_one_launch", example::clamped_siblings(512, 256),
         "kernel out\n  out threads x=32 y=8\n"
         "kernel dx with dx\n  near threads x=34 y=16\n  dx threads x=32 y=8\n    dx serial y=2\n"
         "kernel dy with dx\n  dy threads x=32 y=8\n"},
        {"walking_blocks", example::filters_along_columns(509, 251),
         "kernel out walk y=8\n  first threads x=64\n    first serial y=4\n"
         "  second threads x=64\n    second serial y=4\n"
         "  out threads x=64\n    out serial y=4\n"},
        {"fitted_block", example::stencil_chain(2, 512, 256),
         "kernel f1\n  f0 threads x=64 y=4\n    f0 serial x=2 y=9\n"
         "  f1 threads x=63 y=4\n    f1 serial x=2 y=8\n"},
        {"scalar", example::zero_dim(1000), "kernel sum\nkernel sum.update(0)\n"},
        {"host", example::host_in_the_middle(512, 256),
         "kernel out\n  out threads x=32 y=8\nkernel mid host\n"
         "kernel before\n  before threads x=32 y=8\n"},
    };
}

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

// Only what is not zero: the lists are long.
void add_features(const Dag &dag, const std::vector<KernelPtr> &launch, std::string &out) {
    const GpuModel gpu = find_preset("a100").value();
    const FeatureTable table = FeatureExtractor(dag, gpu).extract(launch);
    out += "kernel " + stage_name(dag, launch.front()->stage) + "\n";
    for (size_t i = 0; i < kernel_feature_list().size(); ++i) {
        const double value = kernel_feature(table.kernel, i);
        if (value == 0) continue;
        out += "  " + std::string(kernel_feature_list()[i].name) + " " + number(value) + "\n";
    }
    for (const StageFeatures &row : table.stages) {
        out += "  stage " + stage_name(dag, StageId(row.stage)) + "\n";
        for (size_t i = 0; i < stage_feature_list().size(); ++i) {
            const double value = stage_feature(row, i);
            if (value == 0) continue;
            out += "    " + std::string(stage_feature_list()[i].name) + " " + number(value) + "\n";
        }
    }
}

std::string text_of(const Case &c) {
    const Nest nest = example::sound(c.dag, c.nest);
    std::string out = "== nest\n" + to_text(c.dag, nest) + "== directives\n";
    for (const Directive &directive : directives(c.dag, nest)) {
        std::string site;
        for (const Func &func : c.dag.funcs) {
            if (!func.is_input() && func.halide_index == directive.site_func) site = func.name;
        }
        out += describe(directive, site) + "\n";
    }
    out += "== features\n";
    for (const std::vector<size_t> &launch : launches(nest)) {
        std::vector<KernelPtr> kernels;
        for (const size_t k : launch) kernels.push_back(nest.kernels[k]);
        add_features(c.dag, kernels, out);
    }
    return out;
}

TEST(Gold, IsWhatNestsDirectivesAndFeaturesAre) {
    const bool update = std::getenv("AUTOSCHEDULE_GPU_UPDATE_GOLD") != nullptr;
    for (const Case &c : cases()) {
        const std::string path = std::string(GOLD_FOLDER) + "/" + c.name + ".txt";
        const std::string actual = text_of(c);
        if (update) {
            std::ofstream(path) << actual;
            continue;
        }
        std::ifstream file(path);
        EXPECT_TRUE(file.is_open()) << path << " is missing: see the head of gold_test.cpp";
        std::stringstream expected;
        expected << file.rdbuf();
        EXPECT_EQ(actual, expected.str())
            << path << " says otherwise. If the change is meant, write the files anew: "
            << "AUTOSCHEDULE_GPU_UPDATE_GOLD=1 build/test/gold_test";
    }
}

}  // namespace
}  // namespace autoschedule_gpu
