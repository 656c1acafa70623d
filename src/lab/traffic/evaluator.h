// Variables and what expressions over them are worth, for all threads of a block at once.
//
// Lets are lazy: an expression is evaluated when something asks for it, once per binding. So what
// only data depends on, most of a kernel, costs nothing. Evaluating a load reads no memory: its
// value is made up, from its address. Loads are found and counted by whoever walks the statements.
//
// Errors are latched: after the first one every value is zero, and `error` tells.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/lowered/lowered.h"
#include "lab/traffic/value.h"

namespace autoschedule_gpu {

class Evaluator {
public:
    explicit Evaluator(const lowered::Code &code);

    // Values computed from here on are for that many threads. Bindings from before must be uniform.
    void set_threads(int64_t threads) { threads_ = threads; }
    int64_t threads() const { return threads_; }

    void bind(lowered::VariableId variable, lowered::ExprId expr);
    void bind(lowered::VariableId variable, ValueRef value);
    void unbind(lowered::VariableId variable);

    ValueRef evaluate(lowered::ExprId id);
    // Returns the value of a scalar that does not depend on the thread.
    int64_t evaluate_uniform(lowered::ExprId id, const std::string &what);

    // True if any value so far depended on a load.
    bool made_up() const { return made_up_; }

    // Elements computed so far: a measure of time.
    double work() const { return work_; }

    const std::string &error() const { return error_; }

private:
    struct Slot {
        lowered::ExprId expr;  // valid: bound to it
        ValueRef value;        // once it is known
    };

    ValueRef compute(const lowered::Expr &expr, lowered::ExprId id);
    ValueRef variable(const lowered::Expr &expr);
    ValueRef let(const lowered::Expr &expr);
    ValueRef make_up(const lowered::Expr &expr, lowered::ExprId id);
    ValueRef zero(const lowered::Type &type) const;
    void fail(const std::string &error);

    const lowered::Code &code_;
    std::vector<Slot> slots_;
    int64_t threads_ = 1;
    bool made_up_ = false;
    double work_ = 0;
    std::string error_;
};

}  // namespace autoschedule_gpu
