// Assembles a random pipeline: it keeps what has been defined so far, and the rules that make every
// further definition legal and well-conditioned.
//
//     Value  a Func that later Funcs may read, with the region where reading it makes sense
//     FuncBuilder  a Func in the making; `read` keeps its accesses legal and narrows its own region
//     Term   an expression with a bound of its magnitude
//
// The region rules: every Value has, per dimension, a *nominal* span, over which reductions and
// outputs run, and a *legal* span, which contains it and in which an access needs no clamp. A read
// that would leave the legal span is clamped.
//
// One thread uses a builder, for one pipeline.
#pragma once

#include <Halide.h>

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/support/random.h"
#include "learn/random_pipelines/pipeline_case.h"
#include "learn/random_pipelines/style.h"

namespace autoschedule_gpu::random_pipelines {

// Stands for "everywhere": far beyond every nominal span, but well inside int32.
inline constexpr Span kAnywhere{-20000, 20000};

struct ValueDim {
    Span nominal;
    Span legal;
    // The values outside the legal span are undefined (not merely unavailable), however large the
    // inputs are.
    bool hard = false;
    // Updates touch this span whatever is asked for; it is empty if there are none.
    Span touched;
    // It is hard, and an output says by a bound that there is no more of it, as of channels.
    bool promised = false;
};

struct Value {
    Halide::Func func;
    std::vector<ValueDim> dims;
    std::vector<Halide::Type> types;  // one per Tuple element
    double magnitude = 0;             // |value| <= magnitude, for all elements
    // True if the value is free of rounding, so that it may control a select, an index or an
    // argmax. Floats that differ in the last bit between two devices would lead to different
    // results.
    bool exact = true;
    int input = -1;  // index into PipelineBuilder::inputs; -1: not an input
    int uses = 0;

    int rank() const { return static_cast<int>(dims.size()); }
    int64_t points() const;
};

// One coordinate of an access: floor((scale * var + offset) / divisor) for every offset in a span.
// `var` is a dimension of the FuncBuilder; -1 if the coordinate depends on none, and is any in the
// span `offset`.
struct Coordinate {
    Halide::Expr index;
    int var = -1;
    Span offset;
    int scale = 1;
    int divisor = 1;
};

struct Term {
    Halide::Expr expr;
    double magnitude = 0;
    bool exact = true;

    bool is_float() const { return expr.type().is_float(); }
};

class FuncBuilder {
public:
    FuncBuilder(const std::string &name, std::vector<Span> nominal);

    int rank() const { return static_cast<int>(dims_.size()); }
    const Halide::Var &var(int dim) const { return vars_[dim]; }
    const std::vector<Halide::Var> &vars() const { return vars_; }
    Span nominal(int dim) const { return dims_[dim].nominal; }
    Halide::Func &func() { return func_; }

    // Returns "x_dim + offset".
    Coordinate at(int dim, int offset = 0) const;
    // Returns the coordinates of the point itself, for reads and for what updates define.
    std::vector<Coordinate> in_place() const;
    std::vector<Halide::Expr> place() const { return {vars_.begin(), vars_.end()}; }
    // Returns "x_dim + r" for a reduction variable with the given values.
    Coordinate window(int dim, const Halide::Expr &r, Span values) const;
    // Returns a coordinate that takes the given values, whatever it depends on.
    static Coordinate free(const Halide::Expr &index, Span values);

    // Reads the value's Tuple element at these coordinates. The result is of arithmetic type: int32
    // or float.
    Term read(Value &value, std::vector<Coordinate> coordinates, int element = 0);
    // Reads it in its stored type.
    Halide::Expr read_raw(Value &value, std::vector<Coordinate> coordinates, int element = 0);

    // Records that an update touches this span of a dimension.
    void touch(int dim, Span span);
    void make_hard(int dim);
    // Makes it hard, and its extent a constant of the output that the Func may become.
    void promise(int dim);

    // Returns true if all values that were read are exact.
    bool exact() const { return exact_; }
    const std::vector<ValueDim> &dims() const { return dims_; }

private:
    Halide::Func func_;
    std::vector<Halide::Var> vars_;
    std::vector<ValueDim> dims_;
    bool exact_ = true;
};

class PipelineBuilder {
public:
    PipelineBuilder(uint64_t seed, const Style &style);

    const Style &style() const { return style_; }

    Random &random() { return random_; }
    bool chance(int percent) { return random_.below(100) < static_cast<uint64_t>(percent); }
    int pick(std::span<const int> choices);
    int pick(std::initializer_list<int> choices);

    // Returns the values in order of definition. Pointers to them stay valid, because none is
    // removed.
    std::vector<Value *> values();
    // Returns a value of the wanted rank, preferably one that is not used yet; null if there is
    // none.
    Value *choose(int min_rank, int max_rank, bool exact = false);
    // Returns any other value that can be read next to one of this rank.
    Value *choose_companion(const Value &leader);

    Value &add_input(int rank);
    // Adds one of this region, whatever the style says of pictures.
    Value &add_small_input(const Region &region);
    // Adds a Param of this value, with or without an estimate, which may be another one.
    template <typename T>
    Halide::Expr param(const std::string &name, T value) {
        Halide::Param<T> made(name, value);
        if (chance(50)) {
            made.set_estimate(value);
        } else if (chance(40)) {
            made.set_estimate(value + value);
        }
        scalars.push_back(made.parameter());
        return made;
    }
    // Starts a FuncBuilder named after a kind; the name is unique in the pipeline.
    FuncBuilder draft(const std::string &kind, std::vector<Span> nominal);
    // Returns true if a stage with these points and `work` per point is not too expensive.
    bool affordable(const std::vector<Span> &nominal, int64_t work) const;
    // Returns the part of a box that a serial loop may visit: its longest sides are halved until
    // there are few enough steps.
    std::vector<Span> serial_part(std::vector<Span> box) const;

    // Records that the draft's Func is now a Value. It defines nothing, so updates must be
    // complete.
    Value &finish(FuncBuilder &draft, double magnitude, bool exact = true);

    // Makes the stored term the draft's pure definition, and the draft a Value.
    Value &define(FuncBuilder &draft, const Term &term);

    // Reads a companion at the draft's own coordinates, broadcast or sliced if the ranks differ.
    Term read_aligned(FuncBuilder &draft, Value &value);
    Term combine(const Term &a, const Term &b);
    Term modify(const Term &a);
    // Reduces the magnitude to at most `bound`.
    Term limit(const Term &a, double bound);
    // Converts the term to a random type that can hold it, or that wraps or saturates it.
    Term store(const Term &a);
    // Returns an exact condition: on coordinates, or on the term if that is exact.
    Halide::Expr condition(FuncBuilder &draft, const Term &a);

    std::vector<Span> nominal_of(const Value &value) const;

    // Draws whether a row is made a multiple of four points. Draws nothing in styles without them.
    bool wants_whole_row();

    std::vector<InputImage> inputs;
    std::vector<Halide::Parameter> scalars;
    std::vector<Halide::Func> inline_only;
    bool stays_inline(const Value &value) const;
    std::map<std::string, int> features;

private:
    Halide::Type input_type();
    InputImage draw_image(int rank);  // without a region
    Value &keep(const InputImage &input);
    int extent();

    Random random_;
    Style style_;
    std::vector<std::unique_ptr<Value>> values_;
    int names_ = 0;
    int width_, height_;
};

// Return floor(a / b) and ceil(a / b) for b > 0.
int floor_div(int a, int b);
int ceil_div(int a, int b);

}  // namespace autoschedule_gpu::random_pipelines
