// Arithmetic of the random pipelines. Every operation keeps a bound of the magnitude, so that int32
// never overflows (which Halide leaves undefined) and floats stay comparable between devices.
#include <cmath>

#include "learn/random_pipelines/pipeline_builder.h"

namespace autoschedule_gpu::random_pipelines {

using Halide::cast;
using Halide::Expr;
using Halide::Float;
using Halide::Int;
using Halide::Type;
using Halide::UInt;

namespace {

constexpr double kMaxMagnitude = 4e6;
// Above this, a float32 cannot represent every sixteenth.
constexpr double kMaxExact = 1e5;

Term as_float(const Term &a) {
    return a.is_float() ? a : Term{cast<float>(a.expr), a.magnitude, a.exact};
}

}  // namespace

Term PipelineBuilder::read_aligned(FuncBuilder &draft, Value &value) {
    std::vector<Coordinate> coordinates;
    // A value of lower rank is broadcast over the dimensions that it lacks. Its own dimensions are
    // either the draft's first ones or its last ones.
    const int shift = draft.rank() > value.rank() && chance(50) ? draft.rank() - value.rank() : 0;
    for (int d = 0; d < value.rank(); ++d) {
        if (d + shift < draft.rank()) {
            coordinates.push_back(draft.at(d + shift));
        } else {
            const Span nominal = value.dims[d].nominal;
            const int at = static_cast<int>(random_.between(nominal.lo, nominal.hi));
            coordinates.push_back(FuncBuilder::free(at, {at, at}));
        }
    }
    const int element = static_cast<int>(random_.below(value.types.size()));
    return draft.read(value, coordinates, element);
}

Term PipelineBuilder::limit(const Term &a, double bound) {
    if (a.magnitude <= bound) return a;
    if (a.is_float()) {
        const double factor = std::exp2(std::floor(std::log2(bound / a.magnitude)));
        return {a.expr * float(factor), a.magnitude * factor, false};
    }
    const int divisor = static_cast<int>(std::ceil(a.magnitude / bound)) + 1;
    switch (random_.below(3)) {
        case 0:
            return {a.expr / divisor, a.magnitude / divisor + 1, true};
        case 1:
            return {a.expr % static_cast<int>(bound), bound, true};
        default:
            return {Halide::clamp(a.expr, -static_cast<int>(bound), static_cast<int>(bound)), bound,
                    true};
    }
}

Term PipelineBuilder::combine(const Term &first, const Term &second) {
    Term a = first, b = second;
    if (a.is_float() || b.is_float()) {
        a = as_float(a);
        b = as_float(b);
    }
    const bool exact = a.exact && b.exact && a.magnitude + b.magnitude < kMaxExact;
    const double sum = a.magnitude + b.magnitude, greater = std::max(a.magnitude, b.magnitude);
    switch (random_.below(a.is_float() ? 7 : 9)) {
        case 0:
            return limit({a.expr - b.expr, sum, exact}, kMaxMagnitude);
        case 1:
            return {Halide::min(a.expr, b.expr), greater, a.exact && b.exact};
        case 2:
            return {Halide::max(a.expr, b.expr), greater, a.exact && b.exact};
        case 3: {
            a = limit(a, 1000);
            b = limit(b, 1000);
            return limit({a.expr * b.expr, a.magnitude * b.magnitude, false}, 10000);
        }
        case 4:
            if (!a.is_float()) return {(a.expr + b.expr) / 2, sum / 2 + 1, true};
            return {a.expr / (1.0f + Halide::abs(b.expr)), a.magnitude, false};
        case 5:
            if (!a.is_float())
                return limit({cast<int>(Halide::absd(a.expr, b.expr)), sum, true}, 65535);
            return {(a.expr + b.expr) * 0.5f, sum / 2, exact};
        case 6:
            return limit({a.expr * 3 + b.expr, 3 * a.magnitude + b.magnitude, exact}, 65535);
        case 7: {
            a = limit(a, 8191);
            b = limit(b, 8191);
            return {a.expr ^ b.expr, 16384, true};
        }
        default:
            return {a.expr + (b.expr >> 2), a.magnitude + b.magnitude / 4 + 1, true};
    }
}

Term PipelineBuilder::modify(const Term &a) {
    const Expr e = a.expr;
    if (a.is_float()) {
        switch (random_.below(6)) {
            case 0:
                return {Halide::sqrt(Halide::abs(e) + 1.0f), a.magnitude, false};
            case 1:
                return {Halide::exp(-Halide::abs(e) * (1.0f / 64)), 1, false};
            case 2:
                return {e / (2.0f + Halide::abs(e)), 1, false};
            case 3:
                return {Halide::sin(e * (1.0f / 32)), 1, false};
            case 4:
                return {Halide::clamp(e, -3.0f, 5.0f), 5, a.exact};
            default:
                return {e * 0.25f + 1.0f, a.magnitude / 4 + 1, false};
        }
    }
    switch (random_.below(7)) {
        case 0:
            return {e / 3, a.magnitude / 3 + 1, true};
        case 1:
            return {e % 61, 61, true};
        case 2:
            return {e & 127, 127, true};
        case 3:
            return {cast<int>(Halide::abs(e)), a.magnitude, true};
        case 4:
            return {e >> 1, a.magnitude / 2 + 1, true};
        case 5:
            return limit({(e << 1) + 1, a.magnitude * 2 + 1, true}, 65535);
        default:
            return {Halide::clamp(e, -20, 200), 200, true};
    }
}

Term PipelineBuilder::store(const Term &term) {
    const Term a = limit(term, 100000);
    if (a.is_float()) {
        // Conversion to an integer is discontinuous, so devices may differ by one, unless the float
        // is exact.
        if (a.exact && a.magnitude < 30000 && chance(30)) {
            return {cast<int16_t>(Halide::floor(a.expr)), a.magnitude + 1, true};
        }
        if (style_.wide_types && chance(25)) return {cast<double>(a.expr), a.magnitude, a.exact};
        return a;
    }
    if (style_.wide_types && chance(25)) return {cast<int64_t>(a.expr), a.magnitude, true};
    switch (random_.below(10)) {
        case 0:
            return {cast<uint8_t>(a.expr), 255, true};
        case 1:
            return {Halide::saturating_cast<uint8_t>(a.expr), 255, true};
        case 2:
            return {cast<uint16_t>(Halide::clamp(a.expr, 0, 65535)), 65535, true};
        case 3:
            return {Halide::saturating_cast<int16_t>(a.expr), std::min(a.magnitude, 32768.0), true};
        case 4:
            return {cast<int16_t>(a.expr), 32768, true};
        case 5:
            return {cast<uint32_t>(Halide::abs(a.expr)), a.magnitude, true};
        case 6:
        case 7:
            return {cast<float>(a.expr), a.magnitude, a.magnitude < kMaxExact};
        default:
            return a;
    }
}

Halide::Expr PipelineBuilder::condition(FuncBuilder &draft, const Term &a) {
    if (a.exact && chance(60)) {
        const int threshold = static_cast<int>(random_.between(0, std::min(100.0, a.magnitude)));
        return a.is_float() ? a.expr > float(threshold) : a.expr % 7 > threshold % 7;
    }
    if (draft.rank() == 0) return Halide::Internal::const_true();
    const int dim = static_cast<int>(random_.below(draft.rank()));
    if (chance(50)) return draft.var(dim) % 2 == 0;
    return draft.var(dim) < (draft.nominal(dim).lo + draft.nominal(dim).hi) / 2;
}

}  // namespace autoschedule_gpu::random_pipelines
