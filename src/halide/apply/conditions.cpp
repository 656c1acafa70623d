#include "halide/apply/conditions.h"

#include "halide/apply/device_address.h"
#include "halide/apply/whole_fours.h"
#include "scheduler/schedule/pixel_conditions.h"

namespace autoschedule_gpu {

namespace ir = Halide::Internal;

Halide::Expr computed_extent(const Halide::Func &func, int stage, const std::string &loop) {
    const std::string name = func.name() + ".s" + std::to_string(stage) + "." + loop;
    const auto end = [&](const char *which) {
        return ir::Variable::make(Halide::Int(32), name + which);
    };
    return end(".max") - end(".min") + 1;
}

Halide::Expr both(const Halide::Expr &all, const Halide::Expr &one) {
    return ir::is_const_one(all) ? one : all && one;
}

// Of an extent x / 2^18, Halide would multiply what it has at most by 2^18, beyond 32 bits.
Halide::Expr extents_fit(const std::vector<Halide::Expr> &extents, const Directive &specialize) {
    Halide::Expr all = ir::const_true();
    const auto require = [&](const Halide::Expr &one) { all = both(all, one); };
    for (size_t i = 0; i < extents.size(); ++i) {
        if (specialize.least[i] > 0) require(extents[i] >= static_cast<int>(specialize.least[i]));
        if (specialize.most[i] > 0) {
            require(Halide::cast<int64_t>(extents[i]) <=
                    ir::make_const(Halide::Int(64), specialize.most[i]));
        }
    }
    return all;
}

Halide::Expr rows_are_aligned(const Halide::Func *output, std::vector<api::InputBuffer> buffers) {
    const auto field = [](const std::string &buffer, const std::string &of) {
        return ir::Variable::make(Halide::Int(32), buffer + "." + of);
    };
    Halide::Expr all = ir::const_true();
    if (output != nullptr) {
        all = field(output->name(), "extent.0") % kElements == 0;
        buffers.push_back({output->name(), output->dimensions()});
    }
    for (const auto &[buffer, dimensions] : buffers) {
        all = both(all, field(buffer, "min.0") == 0);
        for (int d = 1; d < dimensions; ++d) {
            all = all && field(buffer, "stride." + std::to_string(d)) % kElements == 0;
        }
        all = all && has_aligned_address(buffer);
    }
    return all;
}

Halide::Expr pixels_are_aligned(const std::vector<Halide::Func> &funcs,
                                const Directive &vectorize) {
    Halide::Expr all = ir::const_true();
    for (const PixelCondition &one : pixel_conditions(vectorize)) {
        const std::string &buffer =
            one.func < 0 ? one.input : funcs[static_cast<size_t>(one.func)].name();
        if (one.is == PixelCondition::Is::aligned) {
            all = both(all, has_aligned_address(buffer));
            continue;
        }
        const Halide::Expr field = ir::Variable::make(Halide::Int(32), buffer + one.field);
        const auto number = static_cast<int>(one.number);
        const bool is_multiple = one.is == PixelCondition::Is::multiple;
        all = both(all, is_multiple ? field % number == 0 : field == number);
    }
    return all;
}

Halide::Expr ends_are_multiples(const Halide::Func &output, const std::vector<int64_t> &multiples) {
    Halide::Expr all = ir::const_true();
    for (size_t d = 0; d < multiples.size(); ++d) {
        if (multiples[d] == 0) continue;
        for (const char *field : {"extent.", "min."}) {
            const std::string name = output.name() + "." + field + std::to_string(d);
            const Halide::Expr end = ir::Variable::make(Halide::Int(32), name);
            all = both(all, end % static_cast<int>(multiples[d]) == 0);
        }
    }
    return all;
}

Halide::Expr has_points(const std::string &buffer, const api::LeastExtent &least) {
    const std::string extent = buffer + ".extent." + std::to_string(least.dimension);
    return ir::Variable::make(Halide::Int(32), extent) >= static_cast<int>(least.least);
}

}  // namespace autoschedule_gpu
