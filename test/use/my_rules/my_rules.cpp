// A library of a user's own: what it registers is there for every generator that is run with
// `-p libautoschedule_gpu.so,libmy_rules.so`, and for `autotune --library libmy_rules.so`.
#include <autoschedule_gpu/register.h>
#include <sys/wait.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace {

using namespace autoschedule_gpu::api;

// A rule: blocks of more than eight rows of threads are not looked at.
// autoscheduler.disable_rules=flat_blocks switches it off.
std::optional<Finding> too_many_rows(const KernelCandidate &candidate) {
    const int64_t most = 8, rows = candidate.kernel.threads_y * candidate.kernel.threads_z;
    if (rows <= most) return std::nullopt;
    return Finding{double(rows), double(most), "rows of threads"};
}

// A cost model: time goes by the bytes that a kernel moves to and from DRAM.
// autoscheduler.model=bytes_moved chooses it.
class BytesMoved final : public CostModel {
public:
    explicit BytesMoved(const GpuModel &gpu) : gpu_(gpu) {}

    std::string_view name() const override { return "bytes_moved"; }

    void estimate(ArrayView<const FeatureTable> tables, ArrayView<double> costs) const override {
        for (size_t i = 0; i < tables.size(); ++i) {
            const KernelFeatures &kernel = tables[i].kernel;
            const double bytes = kernel.dram_bytes_read + kernel.dram_bytes_written;
            costs[i] = 1000 * gpu_.kernel_launch_us + bytes / gpu_.dram_bandwidth_gb_per_s;
        }
    }

private:
    GpuModel gpu_;
};

std::unique_ptr<const CostModel> make_bytes_moved(const GpuModel &gpu) {
    return std::make_unique<BytesMoved>(gpu);
}

// A search strategy: of what may be decided next, what the model says is best by itself.
// autoscheduler.strategy=step_by_step chooses it.
class StepByStep final : public SearchStrategy {
public:
    std::string_view name() const override { return "step_by_step"; }

    SearchStatePtr search(const SearchProblem &problem, const SearchStatePtr &start,
                          const SearchLimits &limits) const override {
        SearchStatePtr state = start;
        while (!limits.time_is_up()) {
            SearchStatePtr best;
            for (const Choice &choice : problem.choices(state)) {
                const auto made = problem.take(state, choice);
                const auto *next = std::get_if<SearchStatePtr>(&made);
                if (next == nullptr) continue;
                if (!best || problem.cost(*next) < problem.cost(best)) best = *next;
            }
            if (!best) break;
            state = best;
        }
        return state;
    }
};

// A kind of decisions: rows of a Func in memory of its own may begin at multiples of 32 elements.
// It is decided by autoscheduler.decisions, and listed by decisions_out as "row_padding".
class RowPadding final : public DecisionKind {
public:
    std::string_view name() const override { return "row_padding"; }

    std::vector<DecisionValue> choices(const Kernel &kernel, size_t stage) const override {
        const Stage &at = kernel.stages[stage];
        const bool has_rows = at.memory == MemoryKind::global && at.extents.size() > 1;
        if (kernel.on_host || !has_rows || at.is_output || at.update > 0) return {};
        return {int64_t{0}, int64_t{32}};
    }

    std::vector<Directive> directives(const Kernel &kernel, size_t stage,
                                      const DecisionValue &value) const override {
        const Stage &at = kernel.stages[stage];
        Directive align;
        align.op = DirectiveOp::align_storage;
        align.func = at.func_index;
        align.func_name = at.func;
        align.loops = {LoopRef{0, at.loops[0].name}};
        align.factor = std::get<int64_t>(value);
        return align.factor == 0 ? std::vector<Directive>{} : std::vector<Directive>{align};
    }
};

// A tuner's strategy: from the best schedule so far to one of its neighbours at random.
// autotune --library libmy_rules.so --strategy random_walk chooses it.
class RandomWalk final : public TunerStrategy {
public:
    std::string_view name() const override { return "random_walk"; }

    void run(Tuning &tuning) const override {
        std::mt19937_64 random(tuning.seed());
        while (!tuning.is_over() && tuning.best()) {
            const std::vector<Neighbour> neighbours = tuning.neighbours(*tuning.best());
            if (neighbours.empty()) return;
            const TrialRequest request = neighbours[random() % neighbours.size()].request;
            tuning.attempt({&request, 1});
        }
    }
};

// An executor: runs go through a command of the user's, in the variable MY_RUNS: "ssh gpu1" where
// files are shared with that machine, or "srun --gpus=1".
// autotune --library libmy_rules.so --executor by_command chooses it.
class ByCommand final : public Executor {
public:
    std::string_view name() const override { return "by_command"; }

    RunResult run(const RunRequest &request) const override {
        const char *prefix = std::getenv("MY_RUNS");
        if (prefix == nullptr) return {RunEnd::not_started, 0, "", "MY_RUNS is not set"};
        const int limit_s = int(std::ceil(request.time_limit_s));
        std::string line = prefix + (" timeout " + std::to_string(limit_s));
        for (const std::string &word : request.command) line += " '" + word + "'";
        FILE *pipe = popen(line.c_str(), "r");
        if (pipe == nullptr) return {RunEnd::not_started, 0, "", "there is no shell"};
        RunResult result;
        char part[4096];
        while (size_t count = fread(part, 1, sizeof part, pipe)) result.output.append(part, count);
        const int status = WEXITSTATUS(pclose(pipe));
        const bool killed = status > 128, late = status == 124;  // as shells and timeout say it
        result.end = late ? RunEnd::timed_out : killed ? RunEnd::killed_by_signal : RunEnd::exited;
        result.code = killed ? status - 128 : status;
        return result;
    }
};

}  // namespace

AUTOSCHEDULE_GPU_LIBRARY(my_rules) {
    library.kernel_rules.push_back({"flat_blocks", "a block of more than eight rows of threads",
                                    InForce::by_default, too_many_rows});
    library.models.push_back({"bytes_moved", make_bytes_moved});
    library.strategies.push_back(std::make_shared<StepByStep>());
    library.decision_kinds.push_back(std::make_shared<RowPadding>());
    library.tuner_strategies.push_back(std::make_shared<RandomWalk>());
    library.executors.push_back(std::make_shared<ByCommand>());
}
