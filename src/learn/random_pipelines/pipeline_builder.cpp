#include "learn/random_pipelines/pipeline_builder.h"

#include <algorithm>
#include <cmath>

namespace autoschedule_gpu::random_pipelines {

using Halide::cast;
using Halide::Expr;
using Halide::Float;
using Halide::Func;
using Halide::Int;
using Halide::Type;
using Halide::UInt;
using Halide::Var;

namespace {

Span intersect(Span a, Span b) {
    return {std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
}

Span hull(Span a, Span b) {
    if (a.extent() <= 0) return b;
    if (b.extent() <= 0) return a;
    return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}

// Returns the coordinates that are read while the variable runs over `span`.
Span image_of(const Coordinate &c, Span span) {
    if (c.var < 0) return c.offset;
    if (c.scale < 0) span = {span.hi, span.lo};
    return {floor_div(c.scale * span.lo + c.offset.lo, c.divisor),
            floor_div(c.scale * span.hi + c.offset.hi, c.divisor)};
}

// Returns the values of the variable for which the coordinate stays in `legal`.
Span preimage_of(const Coordinate &c, Span legal) {
    const int lo = legal.lo * c.divisor - c.offset.lo;
    const int hi = legal.hi * c.divisor + c.divisor - 1 - c.offset.hi;
    if (c.scale > 0) return {ceil_div(lo, c.scale), floor_div(hi, c.scale)};
    return {ceil_div(-hi, -c.scale), floor_div(-lo, -c.scale)};
}

}  // namespace

int floor_div(int a, int b) {
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}
int ceil_div(int a, int b) {
    return -floor_div(-a, b);
}

int64_t Value::points() const {
    int64_t product = 1;
    for (const ValueDim &dim : dims) product *= dim.nominal.extent();
    return product;
}

FuncBuilder::FuncBuilder(const std::string &name, std::vector<Span> nominal) : func_(name) {
    static constexpr const char *kNames[] = {"x", "y", "c", "n", "d4", "d5"};
    for (size_t d = 0; d < nominal.size(); ++d) {
        vars_.emplace_back(kNames[d]);
        dims_.push_back({nominal[d], kAnywhere, false, {}});
    }
}

Coordinate FuncBuilder::at(int dim, int offset) const {
    return {offset == 0 ? Expr(vars_[dim]) : vars_[dim] + offset, dim, {offset, offset}};
}

std::vector<Coordinate> FuncBuilder::in_place() const {
    std::vector<Coordinate> coordinates;
    for (int d = 0; d < rank(); ++d) coordinates.push_back(at(d));
    return coordinates;
}

Coordinate FuncBuilder::window(int dim, const Expr &r, Span values) const {
    return {vars_[dim] + r, dim, values};
}

Coordinate FuncBuilder::free(const Expr &index, Span values) {
    return {index, -1, values};
}

Expr FuncBuilder::read_raw(Value &value, std::vector<Coordinate> coordinates, int element) {
    std::vector<Expr> args;
    for (size_t d = 0; d < coordinates.size(); ++d) {
        const Coordinate &c = coordinates[d];
        const ValueDim &dim = value.dims[d];
        const Span needed = image_of(c, c.var < 0 ? Span{} : dims_[c.var].nominal);
        const bool may_grow = c.var < 0 || !dims_[c.var].promised;
        if ((dim.hard && may_grow) || !dim.legal.contains(needed)) {
            args.push_back(Halide::clamp(c.index, dim.legal.lo, dim.legal.hi));
            continue;
        }
        args.push_back(c.index);
        if (c.var >= 0) {
            Span &legal = dims_[c.var].legal;
            legal = intersect(legal, preimage_of(c, dim.legal));
        }
    }
    ++value.uses;
    exact_ = exact_ && value.exact;
    if (value.types.size() == 1) return value.func(args);
    return value.func(args)[element];
}

Term FuncBuilder::read(Value &value, std::vector<Coordinate> coordinates, int element) {
    const Expr raw = read_raw(value, std::move(coordinates), element);
    const Type type = value.types[element];
    if (type.is_float()) {
        return {type.bits() == 32 ? raw : cast<float>(raw), value.magnitude, value.exact};
    }
    if (type == Int(32)) return {raw, value.magnitude, true};
    // Halide bounds small integers by their type, and refuses what would overflow at the ends of
    // the type, whether or not these are reached.
    if (type.bits() <= 16)
        return {cast<int>(raw), type.is_uint() ? std::exp2(type.bits()) : 32768, true};
    if (value.magnitude < 1e6) return {cast<int>(raw), value.magnitude, true};
    return {cast<int>(raw % Halide::cast(type, 4096)), 4095, true};
}

void FuncBuilder::touch(int dim, Span span) {
    dims_[dim].touched = hull(dims_[dim].touched, span);
}

void FuncBuilder::make_hard(int dim) {
    dims_[dim].hard = true;
    dims_[dim].legal = dims_[dim].nominal;
}

void FuncBuilder::promise(int dim) {
    make_hard(dim);
    dims_[dim].promised = true;
}

PipelineBuilder::PipelineBuilder(uint64_t seed, const Style &style) : random_(seed), style_(style) {
    width_ = extent();
    height_ = extent();
}

int PipelineBuilder::pick(std::span<const int> choices) {
    return choices[random_.below(choices.size())];
}
int PipelineBuilder::pick(std::initializer_list<int> choices) {
    return pick(std::span(choices.begin(), choices.size()));
}

// Returns mostly sizes that no tile divides, and now and then degenerate ones.
int PipelineBuilder::extent() {
    if (chance(style_.degenerate_percent)) return pick({1, 2, 3});
    if (chance(15)) return pick(style_.round_extents);
    const int most = chance(30) ? style_.greatest_extent : style_.usual_extent;
    const int drawn = static_cast<int>(random_.between(style_.least_extent, most));
    return wants_whole_row() ? drawn / 4 * 4 : drawn;
}

bool PipelineBuilder::wants_whole_row() {
    return style_.whole_rows_percent > 0 && chance(style_.whole_rows_percent);
}

std::vector<Value *> PipelineBuilder::values() {
    std::vector<Value *> pointers;
    for (const auto &value : values_) pointers.push_back(value.get());
    return pointers;
}

Value *PipelineBuilder::choose(int min_rank, int max_rank, bool exact) {
    std::vector<Value *> candidates;
    for (const auto &value : values_) {
        if (value->rank() < min_rank || value->rank() > max_rank) continue;
        if (exact && !value->exact) continue;
        const int weight =
            (value->uses == 0 ? 6 : 1) + (value.get() == values_.back().get() ? 2 : 0);
        candidates.insert(candidates.end(), weight, value.get());
    }
    return candidates.empty() ? nullptr : candidates[random_.below(candidates.size())];
}

Value *PipelineBuilder::choose_companion(const Value &leader) {
    Value *companion = choose(0, std::max(1, leader.rank() + (chance(20) ? 1 : 0)));
    return companion ? companion : values_.front().get();
}

Type PipelineBuilder::input_type() {
    if (style_.wide_types && chance(30)) return chance(50) ? Int(64) : Float(64);
    switch (random_.below(7)) {
        case 0:
            return UInt(16);
        case 1:
            return Int(16);
        case 2:
            return Int(32);
        case 3:
            return UInt(32);
        case 4:
        case 5:
            return Float(32);
        default:
            return UInt(8);
    }
}

InputImage PipelineBuilder::draw_image(int rank) {
    InputImage input{Halide::ImageParam(input_type(), rank, "in" + std::to_string(inputs.size())),
                     {},
                     chance(70) ? 256 : 1000,
                     random_.next()};
    if (input.param.type().bits() == 8) input.values = 256;
    return input;
}

Value &PipelineBuilder::keep(const InputImage &input) {
    const bool exact = style_.exact_floats || !input.param.type().is_float();
    Value value{input.param,
                {},
                {input.param.type()},
                double(input.values),
                exact,
                static_cast<int>(inputs.size()),
                0};
    for (const Span span : input.region) value.dims.push_back({span, span, false, {}});
    inputs.push_back(input);
    values_.push_back(std::make_unique<Value>(std::move(value)));
    return *values_.back();
}

Value &PipelineBuilder::add_input(int rank) {
    InputImage input = draw_image(rank);
    std::vector<int> extents = {chance(80) ? width_ : extent(), chance(80) ? height_ : extent(),
                                pick(style_.channels), pick({1, 2, 3})};
    if (rank >= 3) {
        const int most = rank == 4 ? style_.four_extent : style_.volume_extent;
        for (int d = 0; d < 2; ++d) extents[d] = std::min(extents[d], most);
    }
    for (int d = 0; d < rank; ++d) {
        const int margin = d < 2 && chance(40) ? pick({1, 2, 4, 8}) : 0;
        const int lo = chance(10) ? -margin : 0;
        input.region.push_back({lo, lo + extents[d] + margin - 1});
    }
    return keep(input);
}

Value &PipelineBuilder::add_small_input(const Region &region) {
    InputImage input = draw_image(static_cast<int>(region.size()));
    input.region = region;
    return keep(input);
}

FuncBuilder PipelineBuilder::draft(const std::string &kind, std::vector<Span> nominal) {
    return FuncBuilder(kind + "_" + std::to_string(names_++), std::move(nominal));
}

bool PipelineBuilder::affordable(const std::vector<Span> &nominal, int64_t work) const {
    for (Span span : nominal) work *= span.extent();
    return work <= style_.most_work;
}

std::vector<Span> PipelineBuilder::serial_part(std::vector<Span> box) const {
    const auto steps = [&] {
        int64_t product = 1;
        for (Span span : box) product *= span.extent();
        return product;
    };
    while (steps() > style_.most_serial_steps) {
        Span &longest = *std::max_element(box.begin(), box.end(),
                                          [](Span a, Span b) { return a.extent() < b.extent(); });
        longest.hi = longest.lo + longest.extent() / 2 - 1;
    }
    return box;
}

Value &PipelineBuilder::finish(FuncBuilder &draft, double magnitude, bool exact) {
    const std::vector<Type> types = draft.func().types();
    bool all_integer = true;
    for (Type type : types) all_integer = all_integer && !type.is_float();
    Value value{draft.func(),
                draft.dims(),
                types,
                magnitude,
                all_integer || (exact && draft.exact()),
                -1,
                0};
    values_.push_back(std::make_unique<Value>(std::move(value)));
    return *values_.back();
}

Value &PipelineBuilder::define(FuncBuilder &draft, const Term &term) {
    const Term stored = store(term);
    draft.func()(draft.vars()) = stored.expr;
    return finish(draft, stored.magnitude, stored.exact);
}

std::vector<Span> PipelineBuilder::nominal_of(const Value &value) const {
    std::vector<Span> spans;
    for (const ValueDim &dim : value.dims) spans.push_back(dim.nominal);
    return spans;
}

bool PipelineBuilder::stays_inline(const Value &value) const {
    return std::ranges::any_of(
        inline_only, [&](const Halide::Func &func) { return func.name() == value.func.name(); });
}

}  // namespace autoschedule_gpu::random_pipelines
