// Executes one kernel of lowered code on a sample of the iterations of every loop, from the host's
// loops around its launches down to the loads and stores. The threads of a block proceed together.
//
// After each sampled launch, scouts go through it once more: a few threads of a few blocks, in a
// few iterations, all drawn at random. They find accesses, for the footprint, that a few regular
// points would miss (where a grid dimension stands for two coordinates, for instance).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/lowered/code_facts.h"
#include "core/support/error.h"
#include "core/support/random.h"
#include "lab/traffic/access_counter.h"
#include "lab/traffic/address_form.h"
#include "lab/traffic/count.h"
#include "lab/traffic/evaluator.h"
#include "lab/traffic/host_scalars.h"
#include "lab/traffic/operations.h"
#include "lab/traffic/sampling.h"

namespace autoschedule_gpu {

// What the text of the code says, before anything runs.
struct CodeText {
    std::vector<Operations> operations;  // operations_by_statement()
    AddressForms forms;                  // address_forms()
    std::vector<bool> host_scalars;      // stores_to_host_scalars()
};

class KernelWalk {
public:
    // `plan` is an index into sample_plans(). All references must outlive the walk.
    KernelWalk(const lowered::Code &code, const CodeFacts &facts, const CodeText &text,
               lowered::StatementId kernel, const MemoryUnits &units, size_t plan);

    // Must be called only once. The caller fills in the names.
    Result<KernelTraffic> run();

    // Returns the work that run() would have done under each plan, as far as this run shows.
    std::span<const double> work_of_plans() const { return work_of_plans_; }

private:
    // How often the current code runs: in the whole code, and under each plan for each time here.
    struct Multiplicity {
        double weight = 1;
        std::vector<double> per_plan;
    };

    enum class Pass : uint8_t { count, scout };

    void host(lowered::StatementId id);
    void launch(const lowered::For &grid);
    void device(lowered::StatementId id);
    void run_statement(const lowered::For &loop);
    void run_statement(const lowered::Let &let);
    void run_statement(const lowered::If &branch);
    void run_statement(const lowered::Store &store, lowered::StatementId id);
    void run_statement(const lowered::Allocate &allocation);
    void run_statement(const lowered::Sequence &sequence);

    void block_loop(const lowered::For &loop);
    void thread_loop(const lowered::For &loop);
    void outermost_thread_loop(const lowered::For &loop);
    void find_thread_extents(const lowered::For &loop, std::array<int64_t, 3> &extents);
    void serial_loop(const lowered::For &loop);
    void serial_iteration(const lowered::For &loop, int64_t iteration, const Value &min,
                          const Value &extent);

    std::vector<int64_t> threads_of_pass(int64_t threads);
    std::vector<SamplePoint> points_of_pass(int64_t extent, SampleRule SamplePlan::*part);
    // Calls f(index) for the points that the plan's rule `part` picks.
    template <typename F>
    void sample_loop(int64_t extent, SampleRule SamplePlan::*part, F f);
    template <typename F>
    void only_where(const Value &condition, bool holds, F f);

    // Counts the loads in an expression.
    void visit(lowered::ExprId id);
    void visit_load(const lowered::Expr &load, lowered::ExprId id);
    void count(Access access, lowered::ExprId index, std::optional<lowered::ExprId> predicate);
    const BufferShape &shape_of(lowered::BufferId id);

    // A part of the kernel has the statement behind which it begins, in every execution.
    void begin_part(lowered::StatementId id);
    void end_part();

    // Returns how often the current code counts; 0 for a scout.
    double weight_of_pass() const;
    void add_operations(lowered::StatementId id);
    double warps_of(const ActiveThreads &active) const;
    void charge();
    bool failed() const { return !error_.empty() || !evaluator_.error().empty(); }

    const lowered::Code &code_;
    const CodeFacts &facts_;
    const CodeText &text_;
    const lowered::StatementId kernel_;
    const MemoryUnits units_;
    const size_t plan_;
    Pass pass_ = Pass::count;
    Random random_{0};
    const std::vector<bool> path_;  // by statement: contains the kernel
    Evaluator evaluator_;
    HostScalars host_scalars_;
    AccessCounter counter_;
    KernelTraffic traffic_;
    std::map<size_t, size_t> part_numbers_;  // by statement
    size_t part_ = 0;                        // the current one
    ThreadWork before_part_;
    Multiplicity multiplicity_;
    std::vector<double> work_of_plans_;
    double charged_ = 0;
    ActiveThreads active_;
    std::array<int64_t, 3> block_shape_ = {1, 1, 1};
    // The numbers, within the block, of the threads that values are for.
    std::vector<int64_t> thread_numbers_ = {0};
    bool in_threads_ = false;
    std::vector<std::optional<BufferShape>> shapes_;  // by buffer
    int64_t shared_bytes_ = 0, local_bytes_ = 0;      // currently allocated
    std::string error_;
};

}  // namespace autoschedule_gpu
