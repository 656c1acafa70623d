// Evaluates expressions over variables, for all threads of a block at once.
//
// Lets are lazy: an expression is evaluated once per binding, when something asks for it. Most of a
// kernel affects only data, and so costs nothing. Evaluating a load reads no memory: its value is
// made up from its address, and from how often the buffer has been stored to: what an array of a
// thread holds in one iteration says nothing of the next. Only the numbers of HostScalars are
// known. Loads are found and counted by the walk over the statements.
//
// The first error is kept: every value after it is zero, and `error` tells what it was.
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

    // Values computed from now on are for that many threads. Earlier bindings must be uniform.
    void set_threads(int64_t threads) { threads_ = threads; }
    int64_t threads() const { return threads_; }

    void bind(lowered::VariableId variable, lowered::ExprId expr);
    void bind(lowered::VariableId variable, ValueRef value);
    void unbind(lowered::VariableId variable);

    ValueRef evaluate(lowered::ExprId id);
    // What is loaded of the buffer from now on is something else.
    void store(lowered::BufferId buffer);
    // What is loaded of the buffer, which has one element, is that.
    void store_only_element(lowered::BufferId buffer, ValueRef value);
    // Returns the value of a scalar that must not depend on the thread; otherwise an error names
    // `what`.
    int64_t evaluate_uniform(lowered::ExprId id, const std::string &what);

    // Returns true if any value so far depended on a load.
    bool made_up() const { return made_up_; }

    // Returns how many elements were computed so far, a measure of time.
    double work() const { return work_; }

    const std::string &error() const { return error_; }

private:
    struct Slot {
        lowered::ExprId expr;  // valid: the variable is bound to it
        ValueRef value;        // null until it is known
    };

    ValueRef compute(const lowered::Expr &expr, lowered::ExprId id);
    ValueRef variable(const lowered::Expr &expr);
    ValueRef let(const lowered::Expr &expr);
    ValueRef make_up(const lowered::Expr &expr, lowered::ExprId id);
    ValueRef zero(const lowered::Type &type) const;
    void fail(const std::string &error);

    const lowered::Code &code_;
    std::vector<Slot> slots_;
    std::vector<uint64_t> stores_;        // by buffer
    std::vector<ValueRef> only_element_;  // by buffer; null: not known
    int64_t threads_ = 1;
    bool made_up_ = false;
    double work_ = 0;
    std::string error_;
};

}  // namespace autoschedule_gpu
