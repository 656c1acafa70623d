#include "lab/traffic/value.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "core/support/hash.h"

namespace autoschedule_gpu {
namespace {

using lowered::Op;
using lowered::Type;

template <typename T>
const std::vector<T> &numbers(const Value &value) {
    if constexpr (std::is_same_v<T, double>) {
        return value.reals;
    } else {
        return value.integers;
    }
}
template <typename T>
std::vector<T> &numbers(Value &value) {
    if constexpr (std::is_same_v<T, double>) {
        return value.reals;
    } else {
        return value.integers;
    }
}

// The number of elements of a result.
struct Shape {
    int64_t lanes;
    int64_t threads;  // 1 for a uniform result

    int64_t size() const { return lanes * threads; }
    int64_t index(const Value &value, int64_t lane, int64_t thread) const {
        return value.uniform ? lane : lane * threads + thread;
    }
};

bool all_uniform(const std::vector<ValueRef> &values) {
    return std::all_of(values.begin(), values.end(), [](const ValueRef &v) { return v->uniform; });
}

template <typename R, typename A, typename F>
void map_unary(Value &result, const Value &a, F f) {
    const std::vector<A> &from = numbers<A>(a);
    std::vector<R> &to = numbers<R>(result);
    to.resize(from.size());
    std::transform(from.begin(), from.end(), to.begin(), f);
}

template <typename R, typename A, typename F>
void map_binary(Value &result, const Value &a, const Value &b, const Shape &shape, F f) {
    std::vector<R> &to = numbers<R>(result);
    to.resize(static_cast<size_t>(shape.size()));
    const A *left = numbers<A>(a).data(), *right = numbers<A>(b).data();
    if (a.uniform == b.uniform) {
        std::transform(left, left + to.size(), right, to.begin(), f);
        return;
    }
    for (int64_t lane = 0; lane < shape.lanes; lane++) {
        const int64_t begin = lane * shape.threads, end = begin + shape.threads;
        if (a.uniform) {
            for (int64_t i = begin; i < end; i++) to[i] = f(left[lane], right[i]);
        } else {
            for (int64_t i = begin; i < end; i++) to[i] = f(left[i], right[lane]);
        }
    }
}

// Computes with unsigned numbers, for which wrapping is defined.
int64_t wrapping(uint64_t number) {
    return static_cast<int64_t>(number);
}

// The one quotient that has no representation, by -1, wraps.
int64_t euclidean_divide(int64_t a, int64_t b) {
    if (b == 0) return 0;
    if (b == -1) return wrapping(-static_cast<uint64_t>(a));
    const int64_t quotient = a / b;
    return a % b < 0 ? quotient - (b > 0 ? 1 : -1) : quotient;
}

int64_t euclidean_remainder(int64_t a, int64_t b) {
    if (b == 0 || b == -1) return 0;
    const int64_t remainder = a % b;
    return remainder < 0 ? remainder + std::abs(b) : remainder;
}

int64_t divide_to_zero(int64_t a, int64_t b) {
    if (b == 0) return 0;
    return b == -1 ? wrapping(-static_cast<uint64_t>(a)) : a / b;
}

int64_t remainder_to_zero(int64_t a, int64_t b) {
    return b == 0 || b == -1 ? 0 : a % b;
}

int64_t shifted_left(int64_t a, int64_t by) {
    if (by <= -64) return a < 0 ? -1 : 0;
    if (by < 0) return a >> -by;
    return by >= 64 ? 0 : wrapping(static_cast<uint64_t>(a) << by);
}

// Wraps a number into the range of the type; 64-bit naturals keep their bits.
int64_t wrapped(int64_t number, const Type &type) {
    if (type.bits >= 64) return number;
    const uint64_t mask = (uint64_t{1} << type.bits) - 1;
    const uint64_t low = static_cast<uint64_t>(number) & mask;
    const bool negative = type.kind == Type::Kind::integer && (low >> (type.bits - 1)) != 0;
    return static_cast<int64_t>(negative ? low | ~mask : low);
}

template <typename A>
bool map_comparison(Value &result, Op op, const Value &a, const Value &b, const Shape &shape) {
    const auto map = [&](auto f) {
        map_binary<int64_t, A>(result, a, b, shape, f);
        return true;
    };
    switch (op) {
        case Op::equal:
            return map([](A x, A y) { return int64_t{x == y}; });
        case Op::not_equal:
            return map([](A x, A y) { return int64_t{x != y}; });
        case Op::less:
            return map([](A x, A y) { return int64_t{x < y}; });
        case Op::less_equal:
            return map([](A x, A y) { return int64_t{x <= y}; });
        default:
            return false;
    }
}

bool map_integers(Value &result, Op op, const Value &a, const Value &b, const Shape &shape) {
    using I = int64_t;
    using U = uint64_t;
    const auto map = [&](auto f) {
        map_binary<I, I>(result, a, b, shape, f);
        return true;
    };
    switch (op) {
        case Op::add:
            return map([](I x, I y) { return wrapping(U(x) + U(y)); });
        case Op::subtract:
            return map([](I x, I y) { return wrapping(U(x) - U(y)); });
        case Op::multiply:
            return map([](I x, I y) { return wrapping(U(x) * U(y)); });
        case Op::divide:
            return map(euclidean_divide);
        case Op::remainder:
            return map(euclidean_remainder);
        case Op::divide_to_zero:
            return map(divide_to_zero);
        case Op::remainder_to_zero:
            return map(remainder_to_zero);
        case Op::minimum:
            return map([](I x, I y) { return std::min(x, y); });
        case Op::maximum:
            return map([](I x, I y) { return std::max(x, y); });
        case Op::logical_and:
            return map([](I x, I y) { return I{x != 0 && y != 0}; });
        case Op::logical_or:
            return map([](I x, I y) { return I{x != 0 || y != 0}; });
        case Op::bitwise_and:
            return map([](I x, I y) { return x & y; });
        case Op::bitwise_or:
            return map([](I x, I y) { return x | y; });
        case Op::bitwise_xor:
            return map([](I x, I y) { return x ^ y; });
        case Op::shift_left:
            return map(shifted_left);
        case Op::shift_right:
            return map([](I x, I y) { return shifted_left(x, -y); });
        default:
            return false;
    }
}

bool map_reals(Value &result, Op op, const Value &a, const Value &b, const Shape &shape) {
    using R = double;
    const auto map = [&](auto f) {
        map_binary<R, R>(result, a, b, shape, f);
        return true;
    };
    switch (op) {
        case Op::add:
            return map([](R x, R y) { return x + y; });
        case Op::subtract:
            return map([](R x, R y) { return x - y; });
        case Op::multiply:
            return map([](R x, R y) { return x * y; });
        case Op::divide:
            return map([](R x, R y) { return x / y; });
        case Op::remainder:
            return map([](R x, R y) { return x - y * std::floor(x / y); });
        case Op::minimum:
            return map([](R x, R y) { return std::min(x, y); });
        case Op::maximum:
            return map([](R x, R y) { return std::max(x, y); });
        case Op::power:
            return map([](R x, R y) { return std::pow(x, y); });
        default:
            return false;
    }
}

bool map_one_real(Value &result, Op op, const Value &a) {
    using R = double;
    const auto map = [&](auto f) {
        map_unary<R, R>(result, a, f);
        return true;
    };
    switch (op) {
        case Op::absolute:
            return map([](R x) { return std::abs(x); });
        case Op::floor:
            return map([](R x) { return std::floor(x); });
        case Op::ceiling:
            return map([](R x) { return std::ceil(x); });
        case Op::round:
            return map([](R x) { return std::nearbyint(x); });
        case Op::truncate:
            return map([](R x) { return std::trunc(x); });
        case Op::square_root:
            return map([](R x) { return std::sqrt(x); });
        case Op::exponential:
            return map([](R x) { return std::exp(x); });
        case Op::logarithm:
            return map([](R x) { return std::log(x); });
        case Op::sine:
            return map([](R x) { return std::sin(x); });
        case Op::cosine:
            return map([](R x) { return std::cos(x); });
        default:
            return false;
    }
}

bool map_one_integer(Value &result, Op op, const Value &a) {
    using I = int64_t;
    const auto map = [&](auto f) {
        map_unary<I, I>(result, a, f);
        return true;
    };
    switch (op) {
        case Op::logical_not:
            return map([](I x) { return I{x == 0}; });
        case Op::bitwise_not:
            return map([](I x) { return ~x; });
        case Op::absolute:
            return map([](I x) { return x < 0 ? wrapping(-static_cast<uint64_t>(x)) : x; });
        default:
            // Rounding leaves an integer as it is.
            return map([](I x) { return x; });
    }
}

// Converts to an integer; what fits none becomes the nearest one, as on a GPU.
int64_t integer_of(double real) {
    constexpr double kLimit = 9e18;
    if (std::isnan(real)) return 0;
    return static_cast<int64_t>(std::clamp(std::trunc(real), -kLimit, kLimit));
}

void cast(Value &result, const Value &a, const Type &from, const Type &to) {
    const bool from_real = from.kind == Type::Kind::real, to_real = to.kind == Type::Kind::real;
    if (from_real && to_real) {
        map_unary<double, double>(result, a, [](double x) { return x; });
    } else if (from_real) {
        map_unary<int64_t, double>(result, a, integer_of);
    } else if (!to_real) {
        map_unary<int64_t, int64_t>(result, a, [](int64_t x) { return x; });
    } else if (from.kind == Type::Kind::natural) {
        map_unary<double, int64_t>(
            result, a, [](int64_t x) { return static_cast<double>(static_cast<uint64_t>(x)); });
    } else {
        map_unary<double, int64_t>(result, a, [](int64_t x) { return static_cast<double>(x); });
    }
}

template <typename T>
void select(Value &result, const std::vector<ValueRef> &operands, const Shape &shape) {
    std::vector<T> &to = numbers<T>(result);
    to.resize(static_cast<size_t>(shape.size()));
    const Value &condition = *operands[0], &yes = *operands[1], &no = *operands[2];
    size_t i = 0;
    for (int64_t lane = 0; lane < shape.lanes; lane++) {
        for (int64_t t = 0; t < shape.threads; t++, i++) {
            const Value &chosen =
                condition.integers[shape.index(condition, lane, t)] != 0 ? yes : no;
            to[i] = numbers<T>(chosen)[shape.index(chosen, lane, t)];
        }
    }
}

template <typename T>
void ramp(Value &result, const std::vector<ValueRef> &operands, int64_t inner, const Shape &shape) {
    std::vector<T> &to = numbers<T>(result);
    to.resize(static_cast<size_t>(shape.size()));
    const Value &base = *operands[0], &stride = *operands[1];
    size_t i = 0;
    for (int64_t lane = 0; lane < shape.lanes; lane++) {
        const auto step = static_cast<T>(lane / inner);
        for (int64_t t = 0; t < shape.threads; t++, i++) {
            to[i] = numbers<T>(base)[shape.index(base, lane % inner, t)] +
                    step * numbers<T>(stride)[shape.index(stride, lane % inner, t)];
        }
    }
}

// Fills in lane l of the result from lane `source(l).second` of operand `source(l).first`.
template <typename T, typename F>
void gather_lanes(Value &result, const std::vector<ValueRef> &operands, const Shape &shape,
                  F source) {
    std::vector<T> &to = numbers<T>(result);
    to.resize(static_cast<size_t>(shape.size()));
    size_t i = 0;
    for (int64_t lane = 0; lane < shape.lanes; lane++) {
        const auto [operand, from] = source(lane);
        const Value &value = *operands[static_cast<size_t>(operand)];
        for (int64_t t = 0; t < shape.threads; t++, i++) {
            to[i] = numbers<T>(value)[shape.index(value, from, t)];
        }
    }
}

int64_t lanes_of(const Value &value, const Type &type, const Shape &shape) {
    const bool real = type.kind == Type::Kind::real;
    const auto size = static_cast<int64_t>(real ? value.reals.size() : value.integers.size());
    return value.uniform ? size : size / shape.threads;
}

template <typename T>
void rearrange(Value &result, const lowered::Expr &expr, const Type &operand_type,
               const std::vector<ValueRef> &operands, const Shape &shape) {
    using Source = std::pair<int64_t, int64_t>;
    if (expr.op == Op::broadcast) {
        const int64_t inner = operand_type.lanes;
        gather_lanes<T>(result, operands, shape, [&](int64_t l) { return Source{0, l % inner}; });
    } else if (expr.op == Op::take_lanes) {
        gather_lanes<T>(result, operands, shape, [&](int64_t l) {
            return Source{0, operands[static_cast<size_t>(l) + 1]->integers[0]};
        });
    } else {
        std::vector<Source> sources;
        for (size_t o = 0; o < operands.size(); o++) {
            const int64_t lanes = lanes_of(*operands[o], expr.type, shape);
            for (int64_t l = 0; l < lanes; l++) sources.emplace_back(o, l);
        }
        gather_lanes<T>(result, operands, shape,
                        [&](int64_t l) { return sources[static_cast<size_t>(l)]; });
    }
}

template <typename T>
bool apply_structural(Value &result, const lowered::Expr &expr, const Type &operand_type,
                      const std::vector<ValueRef> &operands, const Shape &shape) {
    switch (expr.op) {
        case Op::select:
        case Op::choose:
            select<T>(result, operands, shape);
            return true;
        case Op::ramp:
            ramp<T>(result, operands, operand_type.lanes, shape);
            return true;
        case Op::broadcast:
        case Op::concatenate:
        case Op::take_lanes:
            rearrange<T>(result, expr, operand_type, operands, shape);
            return true;
        default:
            return false;
    }
}

void apply_arithmetic(Value &result, const lowered::Expr &expr, const Type &operand_type,
                      const std::vector<ValueRef> &operands, const Shape &shape) {
    const bool real = operand_type.kind == Type::Kind::real;
    const Value &a = *operands[0];
    if (expr.op == Op::cast) {
        cast(result, a, operand_type, expr.type);
    } else if (operands.size() == 1) {
        real ? map_one_real(result, expr.op, a) : map_one_integer(result, expr.op, a);
    } else {
        const Value &b = *operands[1];
        const bool done = real ? map_comparison<double>(result, expr.op, a, b, shape) ||
                                     map_reals(result, expr.op, a, b, shape)
                               : map_comparison<int64_t>(result, expr.op, a, b, shape) ||
                                     map_integers(result, expr.op, a, b, shape);
        // What is left, such as the bits of a real or the power of an integer, occurs in no index.
        if (done) return;
        result.integers.assign(static_cast<size_t>(shape.size()), 0);
        result.reals.assign(static_cast<size_t>(shape.size()), 0);
    }
}

// Keeps only as many bits as the type has. Halide promises that 32-bit integers do not overflow.
void fit(Value &value, const lowered::Expr &expr) {
    const Type &type = expr.type;
    if (type.kind == Type::Kind::real) {
        if (type.bits > 32) return;
        for (double &real : value.reals) real = static_cast<float>(real);
    } else if (type.bits < 32 || type.kind == Type::Kind::natural || expr.op == Op::cast) {
        for (int64_t &number : value.integers) number = wrapped(number, type);
    }
}

}  // namespace

ValueRef uniform_integer(int64_t number) {
    return std::make_shared<const Value>(Value{true, {number}, {}});
}

ValueRef apply_op(const lowered::Expr &expr, const Type &operand_type,
                  const std::vector<ValueRef> &operands, int64_t threads) {
    auto result = std::make_shared<Value>();
    result->uniform = all_uniform(operands);
    const Shape shape{expr.type.lanes, result->uniform ? 1 : threads};
    const bool done = expr.type.kind == Type::Kind::real
                          ? apply_structural<double>(*result, expr, operand_type, operands, shape)
                          : apply_structural<int64_t>(*result, expr, operand_type, operands, shape);
    if (!done) apply_arithmetic(*result, expr, operand_type, operands, shape);
    fit(*result, expr);
    return result;
}

int64_t made_up_integer(const Type &type, uint64_t seed) {
    const auto bits = static_cast<int64_t>(mix64(seed));
    return type.bits <= 16 ? wrapped(bits, type) : bits & 255;
}

double made_up_real(uint64_t seed) {
    return static_cast<double>(mix64(seed) >> 11) * 0x1.0p-53;
}

}  // namespace autoschedule_gpu
