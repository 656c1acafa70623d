#include "plugins/autoscheduler/schedule_for_sizes.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <iterator>
#include <utility>

#include "plugins/autoscheduler/resolve_parameters.h"
#include "plugins/autoscheduler/sizes_file.h"
#include "scheduler/model/make_cost_model.h"
#include "scheduler/schedule/size_sections.h"
#include "scheduler/sizes/at_other_size.h"
#include "scheduler/sizes/runs.h"

namespace autoschedule_gpu {
namespace {

// The pipeline at one size, and the best schedule for that alone.
struct Alone {
    NamedSizes of;
    Dag dag;
    std::optional<VariantSource> variants;
    std::optional<ChosenSchedule> best;
};

class ForSizes {
public:
    explicit ForSizes(const ScheduleTask &task)
        : task_(task),
          of_each_(task.parameters),
          clock_(task.clock),
          model_(make_cost_model(task.model, task.gpu)) {}

    Result<ChosenSchedule> find() {
        if (Status read = read_all(); !read) return read.error();
        // What schedules for several sizes can't have (disabled_decisions) is open to one.
        if (sizes_.size() == 1) of_each_.sizes.clear();
        if (Status found = find_alone(); !found) return found.error();
        find_costs();
        if (sizes_.size() == 1) return one();
        if (Status can = can_have_several(); !can) {
            why_one_ = can.error().message;
        } else if (const auto runs = fewest_runs(costs_, kMostRegret); !runs) {
            why_one_ = "sizes that need different schedules extend equally far";
        } else if (runs->size() > 1) {
            if (auto chosen = several(*runs)) return *std::move(chosen);
        }
        return one();
    }

private:
    Status read_all() {
        Result<std::vector<NamedSizes>> given = read_sizes(task_.parameters.sizes, task_.pipeline);
        if (!given) return Error{"autoscheduler.sizes=" + given.error().message};
        for (NamedSizes &one : std::vector(std::move(given).value())) {
            Result<Dag> dag = read_dag(task_.pipeline, task_.target, task_.variants.respect,
                                       task_.parameters, one.sizes);
            if (!dag) return at(one, dag.error());
            Alone &size = sizes_.emplace_back();
            size.of = std::move(one);
            size.dag = std::move(dag).value();
            size.variants.emplace(
                VariantSource{.pipeline = task_.pipeline,
                              .target = task_.target,
                              .respect = task_.variants.respect,
                              .as_read = size.dag,
                              .parameters = task_.parameters,
                              .reductions = reductions_of(size.dag, task_.gpu, task_.parameters),
                              .sizes = size.of.sizes});
        }
        return Ok{};
    }

    Error at(const NamedSizes &size, const Error &error) const {
        return Error{"autoscheduler.sizes=" + task_.parameters.sizes + ": size \"" + size.name +
                     "\": " + error.message};
    }

    Status find_alone() {
        for (size_t i = 0; i < sizes_.size(); ++i) {
            Alone &size = sizes_[i];
            const double shares = static_cast<double>(sizes_.size() - i + 1);
            const ScheduleTask task{.pipeline = task_.pipeline,
                                    .target = task_.target,
                                    .parameters = of_each_,
                                    .gpu = task_.gpu,
                                    .model = task_.model,
                                    .rules = task_.rules,
                                    .kinds = task_.kinds,
                                    .spill_check = task_.spill_check,
                                    .strategies = task_.strategies,
                                    .strategy = task_.strategy,
                                    .as_read = size.dag,
                                    .variants = *size.variants,
                                    .clock = SearchClock(std::max(0.0, clock_.left_s()) / shares)};
            Result<ChosenSchedule> best = find_schedule(task);
            if (!best) return at(size.of, best.error());
            size.best = std::move(best).value();
        }
        return Ok{};
    }

    double alone(size_t size) const { return sizes_[size].best->complete->state.cost; }

    void find_costs() {
        for (size_t made_for = 0; made_for < sizes_.size(); ++made_for) {
            std::vector<std::optional<double>> &row = costs_.cost.emplace_back();
            for (size_t at = 0; at < sizes_.size(); ++at) {
                const std::optional<CompleteState> other = at_size(made_for, at);
                row.push_back(other ? std::optional(other->state.cost) : std::nullopt);
            }
            costs_.weights.push_back(sizes_[made_for].of.weight);
            costs_.extents.push_back(extents_of(sizes_[made_for].dag));
        }
        costs_.first = outputs_.size();
    }

    // The schedule that was made for one size, at another.
    std::optional<CompleteState> at_size(size_t made_for, size_t at) {
        if (made_for == at) return sizes_[at].best->complete;
        return carried(made_for, *sizes_[at].variants);
    }

    std::optional<CompleteState> carried(size_t made_for, const VariantSource &source) {
        const ChosenSchedule &best = *sizes_[made_for].best;
        const Result<PipelineVariant> variant = variant_of(source, best);
        if (!variant) return std::nullopt;
        SearchOptions options = search_options_of(of_each_);
        options.random_dropout = 100;
        SearchContext context(std::move(options), clock_);
        const CompleteState &complete = *best.complete;
        auto other = at_other_size({*complete.dag, complete.state, complete.freedom}, *variant->dag,
                                   {task_.gpu, *model_, task_.rules}, context);
        if (!other) return std::nullopt;
        return CompleteState{std::move(other->dag), std::move(other->state), complete.freedom};
    }

    // With reductions taken apart as they are in another.
    static Result<PipelineVariant> variant_of(const VariantSource &source,
                                              const ChosenSchedule &like) {
        if (like.variant.factors.empty()) return source.plain();
        const Result<Factorings> choices = source.choices_of({.decisions = like.variant.decisions});
        if (!choices) return choices.error();
        return source.make(*choices);
    }

    // Of all buffers: of outputs, then of inputs, by dimension.
    std::vector<int64_t> extents_of(const Dag &dag) {
        std::vector<int64_t> extents;
        outputs_.clear();
        inputs_.clear();
        for (const bool is_output : {true, false}) {
            for (const Func &func : dag.funcs) {
                if (is_output ? !func.is_output() : !func.is_input()) continue;
                for (size_t d = 0; d < func.dims.size(); ++d) {
                    extents.push_back(std::max<int64_t>(1, func.dims[d].estimate.extent()));
                    (is_output ? outputs_ : inputs_)
                        .push_back({.func = is_output ? func.halide_index : -1,
                                    .input = is_output ? "" : func.name,
                                    .dimension = static_cast<int>(d)});
                }
            }
        }
        return extents;
    }

    std::vector<api::LeastExtent> conditions(const Run &run) const {
        std::vector<api::LeastExtent> result;
        for (size_t d = 0; d < run.least.size(); ++d) {
            if (run.least[d] == 0) continue;
            const bool is_output = d < outputs_.size();
            result.push_back(is_output ? outputs_[d] : inputs_[d - outputs_.size()]);
            result.back().least = run.least[d];
        }
        return result;
    }

    // Partial results of an output would be other loops of the same update.
    Status can_have_several() const {
        for (const Alone &size : sizes_) {
            for (const Directive &directive : size.best->variant.factors) {
                const bool is_output = std::ranges::any_of(size.dag.funcs, [&](const Func &func) {
                    return func.is_output() && func.halide_index == directive.func;
                });
                if (directive.op == DirectiveOp::rfactor && is_output) {
                    return Error{"a reduction of an output is taken apart"};
                }
            }
        }
        return can_have_sections(task_.as_read);
    }

    // A schedule for each run. Nothing where Halide refuses that.
    std::optional<ChosenSchedule> several(const std::vector<Run> &runs) {
        std::vector<SizeSection> sections;
        std::vector<std::shared_ptr<const Dag>> reads;
        for (const Run &run : runs) {
            const ChosenSchedule &best = *sizes_[run.made_for].best;
            sections.push_back({.extents = conditions(run), .schedule = best.accepted.schedule});
            reads.push_back(best.variant.read);
        }
        Acceptance acceptance(task_.pipeline, task_.as_read, {}, task_.target, task_.gpu,
                              task_.spill_check, clock_);
        Result<AcceptedSchedule> accepted =
            acceptance.accept(joined_sections(sections, task_.as_read));
        if (!accepted) {
            why_one_ = accepted.error().message;
            refused_.push_back({Attempt::search, why_one_, ""});
            return std::nullopt;
        }
        ChosenSchedule chosen = chosen_at_own_estimates(run_at_own_estimates(runs));
        chosen.accepted = std::move(accepted).value();
        chosen.trials = acceptance.trials();
        chosen.section_reads = std::move(reads);
        describe(runs, chosen);
        return chosen;
    }

    ChosenSchedule one() {
        std::optional<Run> run = one_run(costs_);
        const bool is_known = run.has_value();
        if (!run) run = Run{.made_for = heaviest()};
        ChosenSchedule chosen = chosen_at_own_estimates(run->made_for);
        chosen.accepted = std::move(sizes_[run->made_for].best->accepted);
        chosen.trials = sizes_[run->made_for].best->trials;
        if (!is_known) {
            for (size_t i = 0; i < sizes_.size(); ++i) run->sizes.push_back(i);
        }
        const std::string &name = sizes_[run->made_for].of.name;
        describe({*std::move(run)}, chosen);
        if (!why_one_.empty()) {
            chosen.warnings.push_back("the schedule for the size \"" + name +
                                      "\" is used at all sizes: " + why_one_ + ".");
        }
        return chosen;
    }

    size_t heaviest() const {
        const auto most =
            std::ranges::max_element(sizes_, {}, [](const Alone &size) { return size.of.weight; });
        return static_cast<size_t>(most - sizes_.begin());
    }

    size_t run_at_own_estimates(const std::vector<Run> &runs) {
        const std::vector<int64_t> extents = extents_of(task_.as_read);
        for (const Run &run : runs) {
            const bool is_taken = std::ranges::equal(run.least, extents, std::less_equal<>());
            if (is_taken) return run.made_for;
        }
        return runs.back().made_for;
    }

    // All but what was accepted: what is used there.
    ChosenSchedule chosen_at_own_estimates(size_t made_for) {
        ChosenSchedule &best = *sizes_[made_for].best;
        Result<PipelineVariant> variant = variant_of(task_.variants, best);
        const bool is_own = sizes_[made_for].dag.hash() == task_.as_read.hash();
        return {.attempt = "sizes",
                .variant = variant ? std::move(variant).value() : best.variant,
                .tried_factorings = best.tried_factorings,
                .accepted = {},
                .complete = is_own ? best.complete : carried(made_for, task_.variants),
                .refused = refused_,
                .trials = {},
                .search = best.search,
                .model = std::move(model_)};
    }

    void describe(const std::vector<Run> &runs, ChosenSchedule &chosen) const {
        chosen.schedules_for_sizes = static_cast<int>(runs.size());
        for (size_t i = 0; i < sizes_.size(); ++i) {
            const Run &run = *std::ranges::find_if(runs, [&](const Run &one) {
                return std::ranges::find(one.sizes, i) != one.sizes.end();
            });
            const NamedSizes &of = sizes_[i].of;
            chosen.sizes.push_back({of.name, of.weight, sizes_[run.made_for].of.name,
                                    costs_.cost[run.made_for][i], alone(i)});
        }
    }

    const ScheduleTask &task_;
    Parameters of_each_;  // with which the schedule for each size is searched for
    SearchClock clock_;
    std::unique_ptr<const CostModel> model_;
    std::deque<Alone> sizes_;  // which stay where they are
    SizeCosts costs_;
    std::vector<api::LeastExtent> outputs_, inputs_;  // of what SizeCosts::extents are
    std::string why_one_;  // why there can be one schedule only; empty: one is good enough
    std::vector<RefusedAttempt> refused_;
};

}  // namespace

Result<ChosenSchedule> schedule_for_sizes(const ScheduleTask &task) {
    return ForSizes(task).find();
}

}  // namespace autoschedule_gpu
