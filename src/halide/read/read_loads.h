// Derives how the elements that a stage reads and writes vary with its loops.
#pragma once

#include <Halide.h>

#include <map>
#include <string>
#include <vector>

#include "core/dag/dag.h"
#include "halide/read/read_estimates.h"
#include "halide/read/read_stage.h"

namespace autoschedule_gpu::reading {

// All expressions of a stage as one graph without lets, in which every distinct subexpression
// occurs once. Walking it node by node counts what is computed once only once.
struct StageGraph {
    std::vector<Halide::Expr> args;  // left-hand side; empty for pure definitions
    std::vector<Halide::Expr> values;
    Halide::Expr predicate;  // may be undefined
};

StageGraph stage_graph(const StageSource &stage);

// The derivative of integer expressions by each loop. It ignores boundary conditions: in clamp(x -
// 1, 0, 99) the coefficient of x is 1, as it is nearly everywhere.
class Derivative {
public:
    Derivative(size_t loops, const Estimates &estimates) : loops_(loops), estimates_(estimates) {}

    // Returns one coefficient per loop.
    std::vector<Coefficient> of(const Halide::Expr &expr);

private:
    // One coefficient per loop. An empty row is zero everywhere: the expression is the same in all
    // iterations of the stage.
    using Row = std::vector<Coefficient>;

    const Row &row(const Halide::Expr &expr);
    Row compute(const Halide::Expr &expr);
    Row of_call(const HI::Call *op);
    Row scaled(const Halide::Expr &varying, const Halide::Expr &factor, bool inverse);
    Row product(const HI::Mul *op);
    Row sum(const Row &a, const Row &b, double sign) const;
    Row either(const Halide::Expr &a, const Halide::Expr &b);
    Row unknown_where_nonzero(const std::vector<Halide::Expr> &from);
    Row remainder(const HI::Mod *op);

    size_t loops_;
    const Estimates &estimates_;
    std::map<const HI::IRNode *, std::pair<Halide::Expr, Row>> rows_;
};

// A Load whose producer is still a key (see StageSource).
struct KeyedLoad {
    std::string producer;
    int64_t bytes_per_site = 0;
    AccessMatrix access;
    bool clamped = false;                   // Load::clamped
    bool of_sums = true;                    // likewise
    std::vector<const HI::IRNode *> sites;  // nodes of the graph; null where no text says it
    int in_place = 0;  // of these, those at the coordinates of the left-hand side
    int in_tuple = 0;  // Load::in_tuple
};

std::vector<KeyedLoad> loads_of(const StageGraph &graph, size_t loops, const Estimates &estimates);

AccessMatrix store_of(const StageSource &stage, const StageGraph &graph,
                      const Estimates &estimates);

// Returns true if the expression depends on a Func or an image.
bool reads_data(const Halide::Expr &expr);

// Returns true if every read of `producer` is at the stage's own coordinates.
bool reads_pointwise(const StageSource &stage, const StageGraph &graph,
                     const std::string &producer);

}  // namespace autoschedule_gpu::reading
