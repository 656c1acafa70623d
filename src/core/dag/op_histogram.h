// Counts how many operations of each kind one evaluation of a stage performs. The enum, the names
// and the number of kinds all come from one list.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace autoschedule_gpu {

//   kind, what it counts
#define AUTOSCHEDULE_GPU_OP_KINDS(X)                     \
    X(add, "additions and subtractions")                 \
    X(mul, "multiplications")                            \
    X(div, "divisions and remainders that are no shift") \
    X(shift, "shifts, also divisions by a power of two") \
    X(bitwise, "and, or, xor, not on integers")          \
    X(min_max, "minima and maxima")                      \
    X(compare, "comparisons")                            \
    X(logic, "and, or, not on conditions")               \
    X(select, "selects, conditional values")             \
    X(cast, "conversions between types")                 \
    X(sqrt, "square roots and reciprocals")              \
    X(transcendental, "exp, log, pow, sin and the like") \
    X(other, "everything else, counted as one instruction")

enum class OpKind : uint8_t {
#define X(name, doc) name,
    AUTOSCHEDULE_GPU_OP_KINDS(X)
#undef X
};

#define X(name, doc) +1
inline constexpr size_t kOpKindCount = 0 AUTOSCHEDULE_GPU_OP_KINDS(X);
#undef X

enum class OpType : uint8_t { integer, wide_integer, half, single, wide_float };
inline constexpr size_t kOpTypeCount = 5;  // "wide" means 64 bits

std::string_view to_string(OpKind kind);

class OpHistogram {
public:
    double &at(OpKind kind, OpType type) { return counts_[index(kind, type)]; }
    double at(OpKind kind, OpType type) const { return counts_[index(kind, type)]; }
    double total() const {
        double sum = 0;
        for (double count : counts_) sum += count;
        return sum;
    }
    friend bool operator==(const OpHistogram &, const OpHistogram &) = default;

private:
    static size_t index(OpKind kind, OpType type) {
        return static_cast<size_t>(kind) * kOpTypeCount + static_cast<size_t>(type);
    }
    std::array<double, kOpKindCount * kOpTypeCount> counts_{};
};

}  // namespace autoschedule_gpu
