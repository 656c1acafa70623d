// Lowered code written down as it would be read: for (b: blocks) for (t: threads) out[i] = in[i].
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/lowered/lowered.h"
#include "lab/traffic/count.h"

namespace autoschedule_gpu::test {

class CodeBuilder;

// An expression; integers are constants.
struct E {
    CodeBuilder *builder = nullptr;
    lowered::ExprId id;
};

E operator+(E a, E b);
E operator-(E a, E b);
E operator*(E a, E b);
E operator/(E a, E b);
E operator%(E a, E b);
E operator<(E a, E b);
E operator+(E a, int64_t b);
E operator-(E a, int64_t b);
E operator*(E a, int64_t b);
E operator/(E a, int64_t b);
E operator%(E a, int64_t b);
E operator<(E a, int64_t b);

inline constexpr lowered::Type kInt32 = {lowered::Type::Kind::integer, 32, 1};
inline constexpr lowered::Type kBool = {lowered::Type::Kind::natural, 1, 1};
inline constexpr lowered::Type kFloat32 = {lowered::Type::Kind::real, 32, 1};

class CodeBuilder {
public:
    using Body = std::function<void(E)>;
    using Block = std::function<void()>;

    lowered::Code code;

    E constant(int64_t value);
    E op(lowered::Op op, lowered::Type type, const std::vector<E> &operands);
    E clamp(E value, int64_t least, int64_t greatest);
    // `width` neighbours from `base` on.
    E ramp(E base, int width);

    // Dense, first dimension innermost.
    lowered::BufferId global(const std::string &name, const std::vector<int64_t> &extents,
                             int64_t element_bytes = 4);
    E load(lowered::BufferId buffer, E index, int elements_per_instruction = 1,
           lowered::Type type = kFloat32);

    // Statements go to the innermost body that is being written.
    void blocks(int axis, int64_t extent, const Body &body);
    void threads(int axis, int64_t extent, const Body &body);
    void serial(E extent, const Body &body);
    void serial(int64_t extent, const Body &body) { serial(constant(extent), body); }
    void let(E value, const Body &body);
    void if_then(E condition, const Block &body);
    void allocate(const std::string &name, MemoryKind memory, int64_t elements,
                  const std::function<void(lowered::BufferId)> &body);
    void store(lowered::BufferId buffer, E index, E value, int elements_per_instruction = 1);
    void store_atomic(lowered::BufferId buffer, E index, E value);
    void barrier();

    // The code written so far, complete.
    const lowered::Code &finished();
    // The traffic of its only kernel on an A100; `work` as in CountLimits.
    KernelTraffic traffic(double work = 1e12);

private:
    lowered::StatementId written(const Block &body);
    void append(lowered::Statement statement);
    void loop(lowered::LoopKind kind, int axis, const std::string &name, E extent,
              const Body &body);

    std::vector<lowered::Sequence> open_{1};
};

}  // namespace autoschedule_gpu::test
