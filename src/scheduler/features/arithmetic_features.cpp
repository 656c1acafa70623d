#include <algorithm>
#include <optional>

#include "scheduler/features/feature_groups.h"

namespace autoschedule_gpu {

namespace {

bool is_special(OpKind kind) {
    return kind == OpKind::sqrt || kind == OpKind::transcendental || kind == OpKind::div;
}

// What a special operation takes of other units, beyond the instructions that it counts as.
//
// Of an exponential or a logarithm (lab/traffic/operations.cpp); of halves, too, which become
// floats for it.
constexpr double kInnerInstructions = 12;
// The same of doubles, of which the special unit gives but a first guess; counted in the machine
// code of Halide's PTX for sm_80. A quotient takes seven DFMA and a DMUL, a square root five and
// three; an exponential 18 of their unit's instructions, a logarithm 32, a sine 17.
constexpr double kQuotientOfDoubles = 8, kInnerOfDoubles = 24;
// Of a quotient of 64-bit integers: with the eight that it counts as, 46 where both are below 2^32,
// which the code asks first, and 115 where they are not. In between.
constexpr double kQuotientOfWideIntegers = 64;

void add_inner_operations(OpKind kind, OpType type, double count, StageFeatures &row) {
    const bool inner = kind == OpKind::transcendental;
    if (type == OpType::wide_float) {
        row.fp64_ops_per_thread += (inner ? kInnerOfDoubles : kQuotientOfDoubles) * count;
    } else if (type == OpType::wide_integer) {
        row.int_ops_per_thread += kQuotientOfWideIntegers * count;
    } else if (inner) {
        row.fp32_ops_per_thread += kInnerInstructions * count;
    }
}

// True if integer units do these operations.
bool is_integer(OpKind kind, OpType type) {
    const bool floating =
        type == OpType::half || type == OpType::single || type == OpType::wide_float;
    return !floating || kind == OpKind::compare || kind == OpKind::select || kind == OpKind::cast ||
           kind == OpKind::logic;
}

// Adds `count` operations to those of their unit.
void add_operations(OpKind kind, OpType type, double count, StageFeatures &row) {
    if (is_special(kind)) {
        row.special_ops_per_thread += count;
        add_inner_operations(kind, type, count, row);
    } else if (is_integer(kind, type)) {
        // 64-bit integers take two instructions at least.
        row.int_ops_per_thread += type == OpType::wide_integer ? 2 * count : count;
    } else if (type == OpType::single) {
        row.fp32_ops_per_thread += count;
    } else if (type == OpType::half) {
        row.fp16_ops_per_thread += count;
    } else {
        row.fp64_ops_per_thread += count;
    }
}

void add_operations(const OpHistogram &ops, double evaluations, StageFeatures &row) {
    const auto fused = [&](OpType type) {
        return evaluations * std::min(ops.at(OpKind::add, type), ops.at(OpKind::mul, type));
    };
    row.fp32_fused_per_thread += fused(OpType::single);
    row.int_fused_per_thread += fused(OpType::integer);
    // Of these types there is no feature of what is fused: both operations count as the one
    // instruction that they are (fma.rn.f16 and fma.rn.f64 in Halide's PTX).
    row.fp16_ops_per_thread -= fused(OpType::half);
    row.fp64_ops_per_thread -= fused(OpType::wide_float);
    for (size_t k = 0; k < kOpKindCount; ++k) {
        const OpKind kind = static_cast<OpKind>(k);
        for (size_t t = 0; t < kOpTypeCount; ++t) {
            const OpType type = static_cast<OpType>(t);
            const double count = ops.at(kind, type) * evaluations;
            if (count != 0) add_operations(kind, type, count, row);
        }
    }
}

// Takes off what choices leave out that are known.
void take_off_untaken(const Stage &stage, size_t known, double evaluations, StageFeatures &row) {
    if (known > 0) add_operations(stage.untaken_ops[known], -evaluations, row);
}

// Takes off what the points of a pass share that differ only in loops that it does not depend on.
// `extent`: how far they reach along a loop.
template <typename Extent>
void take_off_shared(const Stage &data, double passes, double per_pass, const Extent &extent,
                     StageFeatures &row) {
    for (const SharedOps &shared : data.shared_ops) {
        double distinct = 1;
        for (size_t i = 0; i < data.loops.size(); ++i) {
            if (shared.loops >> i & 1) distinct *= static_cast<double>(extent(i));
        }
        add_operations(shared.ops, passes * (std::min(distinct, per_pass) - per_pass), row);
    }
}

// The same of what is inlined, of which a pass needs so many points of a box.
void take_off_shared_of_inlined(const Stage &data, const StageFacts &stage, double per_pass,
                                StageFeatures &row) {
    if (!stage.pass_regions->touched(data.func)) return;
    const std::span<const Interval> box = stage.pass_regions->box(data.func);
    const auto extent = [&](size_t i) { return box[data.loops[i].dim].extent(); };
    take_off_shared(data, stage.passes, per_pass, extent, row);
}

// Where blocks walk, each step computes anew where the rows are that a pass touches (read off the
// PTX of crosses, in which compilers know all else before the walk): in a ring a sum, a remainder
// and a product; in global memory, of a row that is clamped, a minimum, a sum, a maximum and a
// product.
constexpr double kRingInstructions = 3, kClampInstructions = 4;

// The loop of a stage that goes along with the walk, if any does.
std::optional<size_t> loop_along(const KernelFacts &facts, const StageFacts &stage) {
    const Stage &root = facts.dag.stage(facts.kernel.stage);
    const SlideFacts *own = facts.slide(stage.func);
    const int dim = own != nullptr ? static_cast<int>(own->slide.dim)
                                   : root.loops[*walked_loop(facts.kernel.tiling)].dim;
    const std::vector<Loop> &loops = facts.dag.stage(stage.stage).loops;
    const auto found = std::ranges::find(loops, dim, &Loop::dim);
    if (found == loops.end()) return std::nullopt;
    return static_cast<size_t>(found - loops.begin());
}

double rows_of_rings(const KernelFacts &facts, const StageFacts &stage, size_t along) {
    double rows = 0;
    for (const auto &[func, slide, ring] : facts.slides) {
        if (stage.func == func) {
            rows += static_cast<double>(stage.unrolled[along]);
        } else if (stage.pass_regions->touched(func)) {
            rows += static_cast<double>(stage.pass_regions->box(func)[slide.dim].extent());
        }
    }
    return rows;
}

double clamped_rows(const KernelFacts &facts, const StageFacts &stage, size_t along) {
    double rows = 0;
    FuncId before;
    for (const FlatLoad &load : stage.flat->loads) {
        if (!load.clamped || load.producer == before) continue;
        if (facts.memory_of(load.producer) != MemoryKind::global) continue;
        for (size_t d = 1; d < load.access.dims(); ++d) {
            if (!load.access.moves(d, along) || !stage.pass_regions->touched(load.producer))
                continue;
            rows += static_cast<double>(stage.pass_regions->box(load.producer)[d].extent());
        }
        before = load.producer;
    }
    return rows;
}

void add_rows_of_walk(const KernelFacts &facts, const StageFacts &stage, StageFeatures &row) {
    if (!walked_loop(facts.kernel.tiling)) return;
    const std::optional<size_t> along = loop_along(facts, stage);
    if (!along) return;
    row.int_ops_per_thread +=
        stage.passes * (kRingInstructions * rows_of_rings(facts, stage, *along) +
                        kClampInstructions * clamped_rows(facts, stage, *along));
}

void add_arithmetic(const Dag &dag, const StageFacts &stage, StageFeatures &row) {
    const FlatStage &flat = *stage.flat;
    row.num_scalars = stage.points;
    row.points_computed_per_thread = stage.points_per_thread;
    row.unrolled_points = stage.points_per_pass / stage.waiting_steps;
    const Stage &data = dag.stage(stage.stage);
    add_operations(data.ops, stage.points_per_thread, row);
    take_off_untaken(data, stage.known_choices, stage.points_per_thread, row);
    take_off_shared(
        data, stage.passes, stage.points_per_pass, [&](size_t i) { return stage.unrolled[i]; },
        row);
    double inlined = 0;
    for (size_t i = 0; i < flat.inlined.size(); ++i) {
        const Stage &of = dag.stage(dag.func(flat.inlined[i]).stages[0]);
        const double times = stage.inlined_per_pass[i] * stage.passes;
        inlined += stage.inlined_per_pass[i];
        if (flat.uniform[i]) continue;
        add_operations(of.ops, times, row);
        take_off_untaken(of, stage.inlined_known_choices[i], times, row);
        take_off_shared_of_inlined(of, stage, stage.inlined_per_pass[i], row);
    }
    row.inlined_calls = inlined * stage.passes;
}

}  // namespace

void add_arithmetic(const KernelFacts &facts, ExtractionScratch &, FeatureTable &table) {
    for (size_t i = 0; i < facts.stages.size(); ++i) {
        add_arithmetic(facts.dag, facts.stages[i], table.stages[i]);
        add_rows_of_walk(facts, facts.stages[i], table.stages[i]);
        // Additions and multiplications that are taken off apart were counted together.
        StageFeatures &row = table.stages[i];
        row.fp16_ops_per_thread = std::max(0.0, row.fp16_ops_per_thread);
        row.fp64_ops_per_thread = std::max(0.0, row.fp64_ops_per_thread);
    }
}

}  // namespace autoschedule_gpu
