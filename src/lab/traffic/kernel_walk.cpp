#include "lab/traffic/kernel_walk.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace autoschedule_gpu {
namespace {

using lowered::BufferId;
using lowered::Expr;
using lowered::ExprId;
using lowered::LoopKind;
using lowered::Op;
using lowered::Statement;
using lowered::StatementId;

// No API takes this many.
constexpr int64_t kMostThreads = 65536;

// How many a scout visits of each dimension of a grid, of a block's threads, and of each serial
// loop.
constexpr int64_t kScoutBlocks = 4;
constexpr int64_t kScoutThreads = 4;
constexpr int64_t kScoutIterations = 2;

AccessSite site_of(ExprId load) {
    return load.index() * 2;
}
AccessSite site_of(StatementId store) {
    return store.index() * 2 + 1;
}

int64_t bytes_of_element(const lowered::Type &type) {
    return (type.bits + 7) / 8;
}

FootprintMode footprint_mode(size_t plan) {
    return plan == 0 ? FootprintMode::every_element : FootprintMode::box;
}

}  // namespace

KernelWalk::KernelWalk(const lowered::Code &code, const CodeFacts &facts, const CodeText &text,
                       StatementId kernel, const MemoryUnits &units, size_t plan)
    : code_(code),
      facts_(facts),
      text_(text),
      kernel_(kernel),
      units_(units),
      plan_(plan),
      path_(contains(code, kernel)),
      evaluator_(code),
      host_scalars_(code, text.host_scalars, evaluator_),
      counter_(code, units, footprint_mode(plan)),
      work_of_plans_(sample_plans().size()),
      active_(all_threads(1)),
      shapes_(code.buffers.size()) {
    multiplicity_.per_plan.assign(sample_plans().size(), 1.0);
    traffic_.exact = true;
}

Result<KernelTraffic> KernelWalk::run() {
    host(code_.root);
    if (error_.empty()) error_ = evaluator_.error();
    if (!error_.empty()) return Error{error_};
    counter_.report_kernel(traffic_);
    if (traffic_.parts.empty()) {
        const double blocks =
            traffic_.launches *
            static_cast<double>(traffic_.blocks[0] * traffic_.blocks[1] * traffic_.blocks[2]);
        traffic_.parts.push_back({{traffic_}, blocks});
    }
    traffic_.data_dependent = evaluator_.made_up();
    return std::move(traffic_);
}

// Host

void KernelWalk::host(StatementId id) {
    if (failed()) return;
    if (!path_[id.index()]) return host_scalars_.run(id);
    const Statement &statement = code_.statement(id);
    if (const auto *loop = std::get_if<lowered::For>(&statement)) {
        if (id == kernel_) return launch(*loop);
        const int64_t min = evaluator_.evaluate_uniform(loop->min, "the begin of " + loop->name);
        const int64_t extent =
            evaluator_.evaluate_uniform(loop->extent, "the extent of " + loop->name);
        sample_loop(extent, &SamplePlan::grid, [&](int64_t i) {
            evaluator_.bind(loop->variable, uniform_integer(min + i));
            host(loop->body);
        });
        evaluator_.unbind(loop->variable);
    } else if (const auto *let = std::get_if<lowered::Let>(&statement)) {
        evaluator_.bind(let->variable, let->value);
        host(let->body);
        evaluator_.unbind(let->variable);
    } else if (const auto *branch = std::get_if<lowered::If>(&statement)) {
        const bool holds = evaluator_.evaluate_uniform(branch->condition, "a condition") != 0;
        if (holds) {
            host(branch->then_case);
        } else if (branch->else_case) {
            host(*branch->else_case);
        }
    } else {
        for (StatementId child : children(statement)) host(child);
    }
}

void KernelWalk::launch(const lowered::For &grid) {
    const double weight = multiplicity_.weight;
    traffic_.launches += weight;
    // Sizes of allocations may differ from launch to launch.
    std::fill(shapes_.begin(), shapes_.end(), std::nullopt);
    counter_.begin_launch(weight);
    run_statement(grid);
    charge();
    if (plan_ > 0) {
        counter_.begin_scouting();
        pass_ = Pass::scout;
        run_statement(grid);
        pass_ = Pass::count;
    }
    counter_.end_launch();
}

// Device

void KernelWalk::device(StatementId id) {
    if (failed() || active_.count == 0) return;
    const Statement &statement = code_.statement(id);
    add_operations(id);
    if (const auto *store = std::get_if<lowered::Store>(&statement)) {
        run_statement(*store, id);
    } else if (const auto *evaluate = std::get_if<lowered::Evaluate>(&statement)) {
        visit(evaluate->value);
    } else if (std::holds_alternative<lowered::Barrier>(statement)) {
        counter_.barrier();
        traffic_.barriers += weight_of_pass();
        end_part();
        begin_part(id);
    } else if (const auto *loop = std::get_if<lowered::For>(&statement)) {
        run_statement(*loop);
    } else if (const auto *let = std::get_if<lowered::Let>(&statement)) {
        run_statement(*let);
    } else if (const auto *branch = std::get_if<lowered::If>(&statement)) {
        run_statement(*branch);
    } else if (const auto *allocation = std::get_if<lowered::Allocate>(&statement)) {
        run_statement(*allocation);
    } else if (const auto *sequence = std::get_if<lowered::Sequence>(&statement)) {
        run_statement(*sequence);
    }
}

void KernelWalk::run_statement(const lowered::For &loop) {
    visit(loop.min);
    visit(loop.extent);
    switch (loop.kind) {
        case LoopKind::block:
            block_loop(loop);
            break;
        case LoopKind::thread:
            in_threads_ ? thread_loop(loop) : outermost_thread_loop(loop);
            break;
        case LoopKind::serial:
            serial_loop(loop);
            break;
    }
    evaluator_.unbind(loop.variable);
}

void KernelWalk::run_statement(const lowered::Let &let) {
    visit(let.value);
    evaluator_.bind(let.variable, let.value);
    device(let.body);
    evaluator_.unbind(let.variable);
}

void KernelWalk::run_statement(const lowered::If &branch) {
    visit(branch.condition);
    const ValueRef condition = evaluator_.evaluate(branch.condition);
    // Conditions that differ between threads become conditions of instructions (read off the
    // machine code of guarded steps and of guarded copies: loads of the latter all go ahead).
    const bool is_branch = condition->uniform;
    if (is_branch) counter_.enter_branch();
    only_where(*condition, true, [&] { device(branch.then_case); });
    if (branch.else_case) only_where(*condition, false, [&] { device(*branch.else_case); });
    if (is_branch) counter_.leave_branch();
}

void KernelWalk::run_statement(const lowered::Store &store, StatementId id) {
    visit(store.index);
    if (store.predicate) visit(*store.predicate);
    visit(store.value);
    traffic_.stored_elements += weight_of_pass() * static_cast<double>(active_.count) *
                                static_cast<double>(code_.expr(store.index).type.lanes);
    Access access;
    access.site = site_of(id);
    access.form = text_.forms.stores.at(id.index());
    access.direction = Direction::store;
    access.buffer = store.buffer;
    access.element_bytes = bytes_of_element(code_.expr(store.value).type);
    access.elements_per_instruction = store.elements_per_instruction;
    access.atomic = store.atomic;
    count(access, store.index, store.predicate);
    evaluator_.store(store.buffer);
}

void KernelWalk::run_statement(const lowered::Allocate &allocation) {
    const lowered::Buffer &buffer = code_.buffer(allocation.buffer);
    int64_t bytes = buffer.element_bytes;
    for (ExprId extent : buffer.extents) {
        bytes *= evaluator_.evaluate_uniform(extent, "the size of " + buffer.name);
    }
    const int64_t shared_bytes = buffer.memory == MemoryKind::shared ? bytes : 0;
    const int64_t local_bytes = buffer.memory == MemoryKind::local ? bytes : 0;
    shared_bytes_ += shared_bytes;
    local_bytes_ += local_bytes;
    traffic_.shared_bytes = std::max(traffic_.shared_bytes, shared_bytes_);
    traffic_.thread_local_bytes = std::max(traffic_.thread_local_bytes, local_bytes_);
    if (local_bytes > 0) counter_.allocate_local(allocation.buffer, local_bytes);
    device(allocation.body);
    shared_bytes_ -= shared_bytes;
    local_bytes_ -= local_bytes;
}

void KernelWalk::run_statement(const lowered::Sequence &sequence) {
    for (StatementId child : sequence.statements) device(child);
}

// Loops

std::vector<SamplePoint> KernelWalk::points_of_pass(int64_t extent, SampleRule SamplePlan::*part) {
    if (pass_ == Pass::count) return sample_points(extent, sample_plans()[plan_].*part);
    const int64_t most = part == &SamplePlan::serial ? kScoutIterations : kScoutBlocks;
    return random_points(extent, most, random_);
}

template <typename F>
void KernelWalk::sample_loop(int64_t extent, SampleRule SamplePlan::*part, F f) {
    charge();
    const auto plans = sample_plans();
    const std::vector<SamplePoint> points = points_of_pass(extent, part);
    const auto count = static_cast<double>(points.size());
    const Multiplicity outer = multiplicity_;
    for (size_t p = 0; p < plans.size() && pass_ == Pass::count && !points.empty(); p++) {
        multiplicity_.per_plan[p] *=
            static_cast<double>(sample_count(extent, plans[p].*part)) / count;
    }
    traffic_.exact = traffic_.exact && count >= static_cast<double>(extent);
    for (const SamplePoint &point : points) {
        if (failed()) break;
        multiplicity_.weight = outer.weight * point.weight;
        f(point.index);
    }
    charge();
    multiplicity_ = outer;
}

void KernelWalk::block_loop(const lowered::For &loop) {
    const int64_t min = evaluator_.evaluate_uniform(loop.min, "the begin of " + loop.name);
    const int64_t extent = evaluator_.evaluate_uniform(loop.extent, "the extent of " + loop.name);
    int64_t &blocks = traffic_.blocks[static_cast<size_t>(loop.axis)];
    blocks = std::max(blocks, extent);
    const auto rule = loop.axis == 0 ? &SamplePlan::grid_x : &SamplePlan::grid;
    sample_loop(extent, rule, [&](int64_t i) {
        counter_.begin_block();
        evaluator_.bind(loop.variable, uniform_integer(min + i));
        device(loop.body);
        if (pass_ == Pass::count) counter_.end_block(multiplicity_.weight);
    });
}

// Numbers the threads of the block, x innermost.
void KernelWalk::outermost_thread_loop(const lowered::For &loop) {
    block_shape_ = {1, 1, 1};
    find_thread_extents(loop, block_shape_);
    const int64_t threads = block_shape_[0] * block_shape_[1] * block_shape_[2];
    if (threads > kMostThreads) {
        error_ = "block of " + std::to_string(threads) + " threads in " + loop.name;
    }
    if (failed() || threads <= 0) return;
    for (size_t axis = 0; axis < 3; axis++) {
        traffic_.threads[axis] = std::max(traffic_.threads[axis], block_shape_[axis]);
    }
    thread_numbers_ = threads_of_pass(threads);
    const auto lanes = static_cast<int64_t>(thread_numbers_.size());
    const ActiveThreads outer = std::exchange(active_, all_threads(lanes));
    evaluator_.set_threads(lanes);
    in_threads_ = true;
    begin_part(loop.body);
    thread_loop(loop);
    end_part();
    in_threads_ = false;
    evaluator_.set_threads(1);
    active_ = outer;
}

void KernelWalk::begin_part(StatementId id) {
    const auto [known, is_new] = part_numbers_.try_emplace(id.index(), traffic_.parts.size());
    if (is_new) traffic_.parts.emplace_back();
    part_ = known->second;
    counter_.report(traffic_);
    before_part_ = traffic_;
}

void KernelWalk::end_part() {
    counter_.report(traffic_);
    KernelPart &part = traffic_.parts[part_];
    part += static_cast<const ThreadWork &>(traffic_) - before_part_;
    part.executions += weight_of_pass();
}

std::vector<int64_t> KernelWalk::threads_of_pass(int64_t threads) {
    std::vector<int64_t> numbers;
    if (pass_ == Pass::scout) {
        for (const SamplePoint &point : random_points(threads, kScoutThreads, random_)) {
            numbers.push_back(point.index);
        }
    } else {
        numbers.resize(static_cast<size_t>(threads));
        std::iota(numbers.begin(), numbers.end(), 0);
    }
    return numbers;
}

// The lets on the way are bound before the threads are known; they are evaluated only when an
// extent, or later something else, asks for them.
void KernelWalk::find_thread_extents(const lowered::For &loop, std::array<int64_t, 3> &extents) {
    const auto axis = static_cast<size_t>(loop.axis);
    const int64_t extent = evaluator_.evaluate_uniform(loop.extent, "the extent of " + loop.name);
    extents[axis] = std::max(extents[axis], extent);
    std::vector<StatementId> inside = {loop.body};
    while (!inside.empty()) {
        const Statement &statement = code_.statement(inside.back());
        inside.pop_back();
        const auto *inner = std::get_if<lowered::For>(&statement);
        if (inner != nullptr && inner->kind == LoopKind::thread) {
            find_thread_extents(*inner, extents);
            continue;
        }
        if (const auto *let = std::get_if<lowered::Let>(&statement)) {
            evaluator_.bind(let->variable, let->value);
        }
        for (StatementId child : children(statement)) inside.push_back(child);
    }
}

void KernelWalk::thread_loop(const lowered::For &loop) {
    const ValueRef min = evaluator_.evaluate(loop.min);
    const int64_t extent = evaluator_.evaluate_uniform(loop.extent, "the extent of " + loop.name);
    const auto axis = static_cast<size_t>(loop.axis);
    const int64_t before = axis == 0   ? 1
                           : axis == 1 ? block_shape_[0]
                                       : block_shape_[0] * block_shape_[1];
    const int64_t threads = evaluator_.threads();
    auto variable = std::make_shared<Value>(Value{false, {}, {}});
    Value inside{false, {}, {}};
    for (int64_t t = 0; t < threads; t++) {
        const int64_t coordinate =
            thread_numbers_[static_cast<size_t>(t)] / before % block_shape_[axis];
        variable->integers.push_back(integer_at(*min, 0, t, threads) + coordinate);
        inside.integers.push_back(coordinate < extent ? 1 : 0);
    }
    evaluator_.bind(loop.variable, std::move(variable));
    const ActiveThreads outer = active_;
    active_ = where(outer, inside, true);
    device(loop.body);
    active_ = outer;
}

void KernelWalk::serial_loop(const lowered::For &loop) {
    const ValueRef min = evaluator_.evaluate(loop.min);
    const ValueRef extent = evaluator_.evaluate(loop.extent);
    int64_t longest = 0;
    for (int64_t t = 0; t < evaluator_.threads(); t++) {
        if (active_.flags[static_cast<size_t>(t)] == 0) continue;
        longest = std::max(longest, integer_at(*extent, 0, t, evaluator_.threads()));
    }
    const auto points = static_cast<int64_t>(points_of_pass(longest, &SamplePlan::serial).size());
    if (pass_ == Pass::count && points < longest) counter_.skip_iterations();
    counter_.kept().enter_loop();
    const bool innermost = !facts_.has_serial_loop[loop.body.index()];
    if (innermost) traffic_.loop_entries += weight_of_pass();
    sample_loop(longest, &SamplePlan::serial, [&](int64_t i) {
        if (innermost) traffic_.serial_iterations += weight_of_pass();
        counter_.enter_code();
        counter_.kept().next_iteration();
        counter_.begin_pass();
        serial_iteration(loop, i, *min, *extent);
        if (innermost && counter_.pass_is_in_place())
            traffic_.ordered_iterations += weight_of_pass();
    });
    counter_.kept().leave_loop();
    counter_.begin_pass();
    counter_.leave_code();
}

void KernelWalk::serial_iteration(const lowered::For &loop, int64_t iteration, const Value &min,
                                  const Value &extent) {
    Value variable = min;
    for (int64_t &number : variable.integers) number += iteration;
    evaluator_.bind(loop.variable, std::make_shared<const Value>(std::move(variable)));
    if (extent.uniform) {
        device(loop.body);
        return;
    }
    Value runs{false, {}, {}};
    for (const int64_t end : extent.integers) runs.integers.push_back(iteration < end ? 1 : 0);
    const ActiveThreads outer = active_;
    active_ = where(outer, runs, true);
    device(loop.body);
    active_ = outer;
}

template <typename F>
void KernelWalk::only_where(const Value &condition, bool holds, F f) {
    const ActiveThreads outer = active_;
    active_ = where(outer, condition, holds);
    counter_.enter_code();
    counter_.kept().enter_branch();
    if (active_.count > 0) f();
    counter_.kept().leave_branch();
    counter_.leave_code();
    active_ = outer;
}

// Loads and stores

void KernelWalk::visit(ExprId id) {
    if (!facts_.loads[id.index()] || failed()) return;
    const Expr &expr = code_.expr(id);
    if (expr.op == Op::load) {
        visit_load(expr, id);
    } else if (expr.op == Op::let) {
        visit(expr.operands[0]);
        evaluator_.bind(expr.variable, expr.operands[0]);
        visit(expr.operands[1]);
        evaluator_.unbind(expr.variable);
    } else if (expr.op == Op::choose && expr.type.lanes == 1) {
        visit(expr.operands[0]);
        const ValueRef condition = evaluator_.evaluate(expr.operands[0]);
        only_where(*condition, true, [&] { visit(expr.operands[1]); });
        only_where(*condition, false, [&] { visit(expr.operands[2]); });
    } else {
        for (ExprId operand : expr.operands) visit(operand);
    }
}

void KernelWalk::visit_load(const Expr &load, ExprId id) {
    for (ExprId operand : load.operands) visit(operand);
    Access access;
    access.site = site_of(id);
    access.form = text_.forms.loads.at(id.index());
    access.buffer = load.buffer;
    access.element_bytes = bytes_of_element(load.type);
    access.elements_per_instruction = load.elements_per_instruction;
    access.atomic = load.atomic;
    count(access, load.operands[0],
          load.operands.size() > 1 ? std::optional(load.operands[1]) : std::nullopt);
}

void KernelWalk::count(Access access, ExprId index, std::optional<ExprId> predicate) {
    const MemoryKind memory = code_.buffer(access.buffer).memory;
    if (memory == MemoryKind::host) return;
    const ValueRef at = evaluator_.evaluate(index);
    const ValueRef condition = predicate ? evaluator_.evaluate(*predicate) : nullptr;
    if (failed()) return;
    access.lanes = code_.expr(index).type.lanes;
    access.index = at.get();
    access.predicate = condition.get();
    const double weight = multiplicity_.weight;
    if (memory == MemoryKind::global) {
        counter_.global(access, shape_of(access.buffer), active_, weight);
    } else if (memory == MemoryKind::shared) {
        counter_.shared(access, active_, weight);
    } else {
        counter_.local(access, active_, weight);
    }
}

const BufferShape &KernelWalk::shape_of(BufferId id) {
    std::optional<BufferShape> &shape = shapes_[id.index()];
    if (shape) return *shape;
    const lowered::Buffer &buffer = code_.buffer(id);
    std::vector<lowered::Dimension> dims = buffer.dims;
    int64_t stride = 1;
    for (ExprId extent : buffer.extents) {
        const int64_t count = evaluator_.evaluate_uniform(extent, "the size of " + buffer.name);
        dims.push_back({count, stride});
        stride *= count;
    }
    return shape.emplace(dims);
}

// Returns how many warps have a thread that takes part.
double KernelWalk::warps_of(const ActiveThreads &active) const {
    const size_t warp = static_cast<size_t>(units_.warp_threads);
    double warps = 0;
    for (size_t begin = 0; begin < active.flags.size(); begin += warp) {
        const auto first = active.flags.begin() + static_cast<std::ptrdiff_t>(begin);
        const size_t size = std::min(warp, active.flags.size() - begin);
        warps += std::any_of(first, first + static_cast<std::ptrdiff_t>(size),
                             [](uint8_t flag) { return flag != 0; })
                     ? 1
                     : 0;
    }
    return warps;
}

double KernelWalk::weight_of_pass() const {
    return pass_ == Pass::count ? multiplicity_.weight : 0;
}

// Adds the operations that the active threads compute anew for the statement.
void KernelWalk::add_operations(StatementId id) {
    const Operations &operations = text_.operations[id.index()];
    if (pass_ == Pass::scout) return;
    const double times = weight_of_pass() * static_cast<double>(active_.count);
    const double count = operations.floats + operations.integers + operations.other;
    if (count > 0) {
        counter_.add_instructions(weight_of_pass() * count, static_cast<double>(active_.count),
                                  warps_of(active_) * static_cast<double>(units_.warp_threads));
    }
    traffic_.float_operations += times * operations.floats;
    traffic_.integer_operations += times * operations.integers;
    traffic_.special_operations += times * operations.special;
    traffic_.fused_float_operations += times * operations.fused_floats;
    traffic_.fused_integer_operations += times * operations.fused_integers;
    traffic_.double_operations += times * operations.doubles;
    traffic_.double_instructions += times * operations.double_instructions;
    traffic_.other_operations += times * operations.other;
}

// Charges the work done since the last call at the current multiplicity.
void KernelWalk::charge() {
    const double work = evaluator_.work() + counter_.work();
    for (size_t p = 0; p < work_of_plans_.size(); p++) {
        work_of_plans_[p] += (work - charged_) * multiplicity_.per_plan[p];
    }
    charged_ = work;
}

}  // namespace autoschedule_gpu
