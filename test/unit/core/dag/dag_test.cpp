#include "core/dag/dag.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/dag/text.h"
#include "unit/example_dags.h"

namespace autoschedule_gpu {
namespace {

RegionDimension range(RegionBound lo, RegionBound hi) {
    RegionDimension dim;
    dim.lo = lo;
    dim.hi = hi;
    return dim;
}

// in -> blur (x - 1 .. x + 1) -> sum over r of blur(x + r)
Dag blur_and_sum() {
    Dag dag;
    for (const char *name : {"in", "blur", "sum"}) {
        Func func;
        func.name = name;
        func.halide_index = static_cast<int>(dag.funcs.size()) - 1;
        func.dims = {{"x", {0, 99}, 1}};
        func.values = {{}};
        func.computed = add_identity(dag.regions, 1);
        dag.funcs.push_back(func);
    }
    dag.funcs[0].kind = Func::Kind::input_image;
    dag.funcs[1].can_inline = true;
    dag.funcs[2].kind = Func::Kind::output;
    const auto add_stage = [&](FuncId func, int index, std::vector<Loop> loops) {
        const StageId id(dag.stages.size());
        Stage stage;
        stage.func = func;
        stage.index = index;
        stage.loops = std::move(loops);
        stage.store = AccessMatrix(1, stage.loops.size());
        stage.store.at(0, stage.loops.size() - 1).value = 1;
        dag.stages.push_back(stage);
        dag.funcs[func.index()].stages.push_back(id);
        return id;
    };
    const auto add_edge = [&](StageId consumer, FuncId producer, RegionDimension region) {
        Stage &stage = dag.stages[consumer.index()];
        const auto program = dag.regions.add(stage.loops.size(), {}, {region});
        stage.edges.push_back(EdgeId(dag.edges.size()));
        dag.edges.push_back({consumer, producer, program, false, false});
        AccessMatrix access(1, stage.loops.size());
        for (size_t k = 0; k < stage.loops.size(); k++) access.at(0, k).value = 1;
        stage.loads.push_back({producer, 1, 4, access});
    };
    const Loop x{"x", Loop::Kind::pure, 0, true, {}, false};
    const Loop r{"r", Loop::Kind::reduction, -1, false, {0, 4}, true};
    add_edge(add_stage(FuncId(1), 0, {x}), FuncId(0), range({0, 1, -1}, {1, 1, 1}));
    add_stage(FuncId(2), 0, {x});
    add_edge(add_stage(FuncId(2), 1, {r, x}), FuncId(1), range({2, 1, 0}, {3, 1, 4}));
    link_consumers(dag);
    return dag;
}

bool mentions(const std::vector<std::string> &sentences, const std::string &words) {
    return std::any_of(sentences.begin(), sentences.end(), [&](const std::string &sentence) {
        return sentence.find(words) != std::string::npos;
    });
}

TEST(Check, AcceptsASoundDag) {
    EXPECT_EQ(check(blur_and_sum()), std::vector<std::string>{});
    EXPECT_EQ(check(Dag{}), std::vector<std::string>{});
}

TEST(Check, FindsWhatIsWrong) {
    struct Case {
        const char *expected;
        void (*damage)(Dag &);
    };
    const Case cases[] = {
        {"has no name", [](Dag &d) { d.funcs[1].name.clear(); }},
        {"has no value type", [](Dag &d) { d.funcs[1].values.clear(); }},
        {"only they, have no stages", [](Dag &d) { d.funcs[1].kind = Func::Kind::input_image; }},
        {"have no Halide index", [](Dag &d) { d.funcs[0].halide_index = 3; }},
        {"cannot be inline", [](Dag &d) { d.funcs[2].can_inline = true; }},
        {"must be inline", [](Dag &d) { d.funcs[2].must_inline = true; }},
        {"out of place", [](Dag &d) { d.stages[2].index = 0; }},
        {"does not exist", [](Dag &d) { d.funcs[1].stages = {StageId(9)}; }},
        {"does not exist", [](Dag &d) { d.funcs[1].computed = {}; }},
        {"2 inputs and 2 outputs",
         [](Dag &d) { d.funcs[1].computed = add_identity(d.regions, 2); }},
        {"not in its Func's list", [](Dag &d) { d.funcs[2].stages.pop_back(); }},
        {"no dimension of its own", [](Dag &d) { d.stages[0].loops[0].dim = 1; }},
        {"is parallel", [](Dag &d) { d.stages[0].loops[0].parallel = false; }},
        {"has a dimension", [](Dag &d) { d.stages[2].loops[0].dim = 0; }},
        {"another shape", [](Dag &d) { d.stages[2].store = AccessMatrix(1, 1); }},
        {"is of nothing", [](Dag &d) { d.stages[0].loads[0].count = 0; }},
        {"name different Funcs", [](Dag &d) { d.stages[0].loads.clear(); }},
        {"two edges", [](Dag &d) { d.stages[0].edges.push_back(d.stages[0].edges[0]); }},
        {"another stage", [](Dag &d) { d.edges[0].consumer = StageId(2); }},
        {"against the order", [](Dag &d) { d.edges[0].producer = FuncId(2); }},
        {"not listed by its stage", [](Dag &d) { d.stages[0].edges.clear(); }},
        {"up to date", [](Dag &d) { d.consumers.clear(); }},
    };
    for (const Case &c : cases) {
        Dag dag = blur_and_sum();
        c.damage(dag);
        EXPECT_TRUE(mentions(check(dag), c.expected)) << c.expected;
    }
}

TEST(LinkConsumers, ListsTheEdgesOfEachProducer) {
    const Dag dag = blur_and_sum();
    ASSERT_EQ(dag.consumers.size(), 3u);
    EXPECT_EQ(dag.consumers[0], std::vector<EdgeId>{EdgeId(0)});
    EXPECT_EQ(dag.consumers[1], std::vector<EdgeId>{EdgeId(1)});
    EXPECT_TRUE(dag.consumers[2].empty());
}

TEST(StageName, CountsUpdatesAsHalideDoes) {
    const Dag dag = blur_and_sum();
    EXPECT_EQ(stage_name(dag, StageId(0)), "blur");
    EXPECT_EQ(stage_name(dag, StageId(1)), "sum");
    EXPECT_EQ(stage_name(dag, StageId(2)), "sum.update(0)");
}

TEST(Func, BytesPerPointSumsTheTuple) {
    Func func;
    func.values = {{ScalarType::Code::floating, 32}, {ScalarType::Code::unsigned_int, 1}};
    EXPECT_EQ(func.bytes_per_point(), 5);
}

TEST(DagHash, IgnoresNames) {
    Dag dag = blur_and_sum();
    const uint64_t before = dag.hash();
    dag.funcs[1].name = "other";
    dag.stages[0].loops[0].name = "y";
    EXPECT_EQ(dag.hash(), before);
}

TEST(DagHash, SeesStructureSizesAndTypes) {
    const uint64_t before = blur_and_sum().hash();
    void (*const changes[])(Dag &) = {
        [](Dag &d) { d.funcs[1].dims[0].estimate.max++; },
        [](Dag &d) { d.funcs[1].values[0].bits = 16; },
        [](Dag &d) { d.funcs[1].host_reason = "is memoized"; },
        [](Dag &d) { d.stages[2].loops[0].range.max++; },
        [](Dag &d) { d.stages[0].ops.at(OpKind::add, OpType::single)++; },
        [](Dag &d) { d.stages[0].loads[0].count++; },
        [](Dag &d) { d.stages[0].loads[0].access.at(0, 0).known = false; },
        [](Dag &d) { d.edges[0].region = d.funcs[1].computed; },
    };
    for (const auto change : changes) {
        Dag dag = blur_and_sum();
        change(dag);
        EXPECT_NE(dag.hash(), before);
    }
}

TEST(Text, ShowsEverything) {
    Dag dag = blur_and_sum();
    dag.stages[0].ops.at(OpKind::add, OpType::single) = 2;
    dag.stages[2].loads[0].access.at(0, 1) = {0.5, true};
    EXPECT_EQ(to_text(dag),
              "input in(x [0, 99] *1) -> float32\n"
              "func blur(x [0, 99] *1) -> float32 can_inline\n"
              "  computed x: [x.min, x.max]\n"
              "  stage blur loops x\n"
              "    store [1]\n"
              "    ops add:single 2\n"
              "    load in x1 4B [1]\n"
              "    edge in x: [x.min - 1, x.max + 1]\n"
              "output sum(x [0, 99] *1) -> float32\n"
              "  computed x: [x.min, x.max]\n"
              "  stage sum loops x\n"
              "    store [1]\n"
              "    ops none\n"
              "  stage sum.update(0) loops r[0, 4] constant, x\n"
              "    store [0 1]\n"
              "    ops none\n"
              "    load blur x1 4B [1 1/2]\n"
              "    edge blur x: [x.min, x.max + 4]\n");
}

TEST(Text, WritesFractionsAndUnknowns) {
    AccessMatrix matrix(2, 2);
    matrix.at(0, 0).value = -0.75;
    matrix.at(1, 1).known = false;
    matrix.at(0, 1).value = 0.123456;
    EXPECT_EQ(to_text(matrix), "[-3/4 0.123456; 0 ?]");
    EXPECT_EQ(to_text(ScalarType{ScalarType::Code::unsigned_int, 1}), "bool");
    EXPECT_EQ(to_text(ScalarType{ScalarType::Code::unsigned_int, 8}), "uint8");
}

TEST(RegionCode, KnowsTheInputsThatADimensionReads) {
    // d0: [i1.min / 2, i1.max + 1]; d1: [0, 7]
    RegionInstruction half{RegionOp::div_imm, 0, 2, {}};
    half.imm = 2;
    RegionCode code;
    const auto program =
        code.add(3, std::vector{half}, {range({6, 1, 0}, {3, 1, 1}), range({0, 0, 0}, {0, 0, 7})});
    EXPECT_EQ(code.dimension(program, 0).reads, (std::vector<uint16_t>{1}));
    EXPECT_EQ(code.dimension(program, 1).reads, (std::vector<uint16_t>{}));
}

TEST(FindConstantDimensions, FindsWhatNoImageSizeDecides) {
    const Dag dag = example::row_histograms(640, 480);
    const auto constant = [&](const char *func, size_t dim) {
        return dag.func(example::find_func(dag, func)).dims[dim].constant;
    };
    EXPECT_FALSE(constant("out", 0));  // as large as the user wants
    EXPECT_TRUE(constant("hist", 0));  // 256 bins
    EXPECT_TRUE(constant("rows", 0));
    EXPECT_FALSE(constant("rows", 1));  // as many rows as the image has
}

TEST(FindConstantDimensions, KnowsOutputsWhoseSizeIsFixed) {
    Dag dag = example::two_stencils(640, 3);
    const FuncId out = dag.stages.back().func;
    ASSERT_TRUE(dag.func(out).is_output());
    dag.funcs[out.index()].dims[1].fixed = true;
    const uint64_t before = example::two_stencils(640, 3).hash();
    find_constant_dimensions(dag);
    EXPECT_FALSE(dag.func(out).dims[0].constant);
    EXPECT_TRUE(dag.func(out).dims[1].constant);
    for (EdgeId edge : dag.stages.back().edges) {
        const Func &read = dag.func(dag.edge(edge).producer);
        if (!read.is_input()) {
            EXPECT_TRUE(read.dims[1].constant) << read.name;
        }
    }
    EXPECT_NE(dag.hash(), before) << "other schedules are legal";
}

}  // namespace
}  // namespace autoschedule_gpu
