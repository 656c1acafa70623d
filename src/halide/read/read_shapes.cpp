#include "halide/read/read_shapes.h"

#include <algorithm>
#include <optional>
#include <set>

#include "core/dag/strides.h"

namespace autoschedule_gpu::reading {
namespace {

using Halide::Expr;

class Images : public HI::IRGraphVisitor {
public:
    explicit Images(std::vector<ImageSource> &images) : images_(images) {}
    void look(const Expr &e) { include(e); }

private:
    using HI::IRGraphVisitor::visit;
    void visit(const HI::Call *op) override {
        if (op->call_type == HI::Call::Image) {
            const std::string name = image_of(op->name);
            const bool known = std::any_of(images_.begin(), images_.end(),
                                           [&](const ImageSource &i) { return i.name == name; });
            if (!known) images_.push_back({name, op->param, op->image});
        }
        HI::IRGraphVisitor::visit(op);
    }

    std::vector<ImageSource> &images_;
};

// Completes the strides. A dimension without a known stride lies outside all dimensions with one
// and outside the unknown ones before it: next to an interleaved x (3) and c (1), y is 3 * width.
void complete_strides(std::vector<std::optional<int64_t>> known, std::vector<Dimension> &dims) {
    for (size_t d = 0; d < dims.size(); d++) {
        int64_t stride = 1;
        for (size_t e = 0; e < dims.size(); e++) {
            if (e == d || !known[e]) continue;
            stride = std::max(stride, outer_stride(*known[e], dims[e].estimate.extent()));
        }
        if (!known[d]) known[d] = stride;
    }
    for (size_t d = 0; d < dims.size(); d++) dims[d].stride = *known[d];
}

std::vector<std::optional<int64_t>> declared_strides(const Halide::Parameter &param,
                                                     const Estimates &estimates, size_t dims) {
    std::vector<std::optional<int64_t>> strides(dims);
    Gaps ignored;
    for (size_t d = 0; d < dims; d++) {
        const Expr stride = param.stride_constraint(static_cast<int>(d));
        if (stride.defined()) strides[d] = estimates.integer(stride, ignored);
    }
    return strides;
}

}  // namespace

ScalarType scalar_type(const Halide::Type &type) {
    ScalarType result;
    result.bits = static_cast<uint8_t>(type.bits());
    if (type.is_float()) {
        result.code = ScalarType::Code::floating;
    } else if (type.is_int()) {
        result.code = ScalarType::Code::signed_int;
    } else if (type.is_uint()) {
        result.code = ScalarType::Code::unsigned_int;
    } else {
        result.code = ScalarType::Code::handle;
    }
    return result;
}

void find_images(const StageSource &stage, std::vector<ImageSource> &images) {
    Images finder(images);
    for (const Expr &value : stage.values) finder.look(value);
    for (const Expr &arg : stage.args) finder.look(arg);
    if (stage.predicate.defined()) finder.look(stage.predicate);
    if (!stage.func.has_extern_definition()) return;
    for (const Halide::ExternFuncArgument &arg : stage.func.extern_arguments()) {
        if (arg.is_expr()) finder.look(prepared(arg.expr));
        if (!arg.is_buffer() && !arg.is_image_param()) continue;
        const std::string name = arg.is_buffer() ? arg.buffer.name() : arg.image_param.name();
        const bool known = std::any_of(images.begin(), images.end(),
                                       [&](const ImageSource &i) { return i.name == name; });
        if (!known) images.push_back({name, arg.image_param, arg.buffer});
    }
}

void set_image_strides(const ImageSource &image, const Estimates &estimates,
                       std::vector<Dimension> &dims) {
    if (image.buffer.defined()) {
        for (size_t d = 0; d < dims.size(); d++) {
            dims[d].stride = image.buffer.dim(static_cast<int>(d)).stride();
        }
        return;
    }
    complete_strides(declared_strides(image.param, estimates, dims.size()), dims);
}

void set_output_strides(const HI::Function &func, const Estimates &estimates,
                        std::vector<Dimension> &dims) {
    if (func.output_buffers().empty()) return set_internal_strides(func, estimates, dims);
    complete_strides(declared_strides(func.output_buffers()[0], estimates, dims.size()), dims);
}

void set_internal_strides(const HI::Function &func, const Estimates &estimates,
                          std::vector<Dimension> &dims) {
    int64_t stride = 1;
    Gaps ignored;
    for (const HI::StorageDim &storage : func.schedule().storage_dims()) {
        const auto dim = std::find_if(dims.begin(), dims.end(),
                                      [&](const Dimension &d) { return d.name == storage.var; });
        if (dim == dims.end()) continue;
        dim->stride = stride;
        int64_t extent = std::max<int64_t>(1, dim->estimate.extent());
        const auto alignment = storage.alignment.defined()
                                   ? estimates.integer(storage.alignment, ignored)
                                   : std::nullopt;
        if (alignment && *alignment > 1) {
            extent = (extent + *alignment - 1) / *alignment * *alignment;
        }
        stride = outer_stride(stride, extent);
    }
}

}  // namespace autoschedule_gpu::reading
