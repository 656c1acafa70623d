// The mutation rules of Halide's genetic autotuner (Ragan-Kelley et al. 2013, section 5), in this
// project's decisions. Each changes the schedule of one Func, drawn at random.
//
//     rule                       what it does to a list of decisions
//     randomize constants        sizes of the Func get other choices at random
//     replace                    all decisions of the Func get choices at random
//     copy                       what a Func drawn at random decides, as far as it has a choice of
//                                that text for a decision of that kind, is taken over
//     add a transformation       a decision that is plain (below) gets another choice
//     remove a transformation    one that is not becomes plain
//     replace a transformation   any but the place gets another choice
//     loop fusion                the Func is tiled at root; the Funcs that follow in the list,
//     which
//                                it or its readers may read, go into its block or threads, one
//                                after the other until a coin flip fails
//     template                   one of four, below
//
// Domain transformations are, in this space: points per thread (serial), threads, tiles that a
// block walks along (sliding), unrolling, reductions taken apart (rfactor) and all that is decided
// by on and off. Plain is none or off, and of sizes the least. Transformations that a list cannot
// say, such as fusing two loops, are not there; storage goes with the place of a Func.
//
// Templates, where the paper has x and y for the innermost two loops that have a choice:
//
//     compute and store under x      in the threads that read it, else in their block
//     fully parallelized and tiled   at root, threads and points per thread along x and y, unrolled
//     parallel over y, vector in x   at root, threads along x alone, as many as may be
//     tiled on the GPU               at root, threads along x and y, a point each
//
// What of this the Func has no choice for is left as it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/support/random.h"
#include "tune/strategies/listed_decisions.h"

namespace autoschedule_gpu {

// One rule. The two about imaging, fusion and templates, have twice the weight of each other: the
// paper says "higher probability".
struct FuncRule {
    std::string_view name;
    uint64_t weight;  // how often it is drawn beside the others
    // Changes what is decided of that Func, by its place among list.funcs().
    void (*apply)(ListedDecisions &list, size_t func, Random &random);
};

// All eight, in the order of the table above.
std::span<const FuncRule> func_rules();

// One of the eight, of a Func at random. Whether the result is a schedule, or another one, is not
// known.
ListedDecisions mutated_func(const ListedDecisions &list, Random &random);

// One of the reasonable schedules with which a population begins. Funcs that `origin`, the default
// schedule, inlines are inlined: footprints, by which the paper tells, are not in a list. Each
// other is, by a coin of that weight in [0, 1], fully parallelized and tiled, or parallel over y.
ListedDecisions reasonable(const ListedDecisions &origin, double weight, Random &random);

// As breadth first as it goes: each Func at root where it has that choice.
ListedDecisions breadth_first(const ListedDecisions &origin);

// Two-point crossover: the Funcs between two points are the other parent's.
ListedDecisions crossed(const ListedDecisions &a, const ListedDecisions &b, Random &random);

}  // namespace autoschedule_gpu
