#include "plugins/autoscheduler/choose_factors.h"

#include <algorithm>
#include <iomanip>
#include <sstream>
#include <utility>
#include <variant>

#include "core/support/parallel.h"
#include "halide/lower/apart.h"
#include "plugins/autoscheduler/resolve_parameters.h"
#include "scheduler/strategies/quick_search.h"

namespace autoschedule_gpu {

namespace {

// Of the time that there is: the search and the trials need some as well.
constexpr double kMostShareForVariants = 0.25;

// What a quick search of a variant found.
struct Compared {
    std::optional<double> cost;  // nothing where it can't be made, or the search failed
    double effort = 0;
};

// As text, for another process, and back.
std::string to_text(const Compared &compared) {
    std::ostringstream out;
    out << std::setprecision(17) << compared.effort;
    if (compared.cost) out << ' ' << *compared.cost;
    return out.str();
}

Compared parse_compared(const std::string &text) {
    std::istringstream in(text);
    Compared compared;
    double cost = 0;
    if (in >> compared.effort >> cost) compared.cost = cost;
    return compared;
}

// Until quick searches have taken as much effort as the search after them may take: how many are
// compared must not depend on what else the machine does, nor on how many are made at once. The
// time is asked, too, because it is limited.
class VariantComparison {
public:
    explicit VariantComparison(const ScheduleTask &task)
        : task_(task),
          models_(task.gpu, task.model),
          most_s_(std::max(0.0, task.clock.left_s()) * kMostShareForVariants),
          clock_(most_s_),
          at_once_(static_cast<size_t>(threads_for(task.parameters.threads))) {
        clock_.limit_effort(most_effort(task.as_read, task.parameters));
    }

    ComparedFactorings run() {
        ChosenFactorings chosen =
            cheapest_factors(task_.variants.reductions,
                             [this](std::span<const Factorings> all) { return costs_of(all); });
        return {std::move(chosen), clock_.stop_reason()};
    }

private:
    std::vector<std::optional<double>> costs_of(std::span<const Factorings> all) {
        std::vector<std::optional<double>> costs;
        while (costs.size() < all.size() && !clock_.is_up()) {
            const auto rest = all.subspan(costs.size());
            for (const auto &compared : compare(rest.first(std::min(at_once_, rest.size())))) {
                if (!compared || clock_.is_up()) return costs;
                clock_.spend(static_cast<size_t>(compared->effort));
                costs.push_back(compared->cost);
            }
        }
        return costs;
    }

    // Each in a child of its own, so that code that is lowered afterwards is the same, name by
    // name, however many there were. Where that can't be, this process does it. Nothing: it took
    // too long.
    std::vector<std::optional<Compared>> compare(std::span<const Factorings> variants) {
        const int threads =
            std::max(1, static_cast<int>(at_once_) / static_cast<int>(variants.size()));
        std::vector<ApartWork> works;
        for (const Factorings &choices : variants) {
            works.emplace_back([this, &choices, threads] { return in_child(choices, threads); });
        }
        std::vector<std::optional<Compared>> result;
        for (const ApartOutcome &outcome : texts_from_children(works, 2 * most_s_ + 1)) {
            if (const auto *ended = std::get_if<Ended>(&outcome)) {
                result.emplace_back(parse_compared(ended->text));
            } else if (std::holds_alternative<OutOfTime>(outcome)) {
                result.emplace_back();
            } else {
                result.emplace_back(searched(variants[result.size()], threads));
            }
        }
        return result;
    }

    std::string in_child(const Factorings &choices, int threads) const {
        try {
            return to_text(searched(choices, threads));
        } catch (...) {
            return "";  // as of what can't be made
        }
    }

    Compared searched(const Factorings &choices, int threads) const {
        const Result<PipelineVariant> variant = task_.variants.make(choices);
        if (!variant) return {};
        const SearchSpace space(*variant->dag, task_.gpu, task_.rules, Freedom::full);
        SearchOptions options = search_options_of(task_.parameters);
        options.limits.threads = threads;
        const QuickFind found = quick_search({space, models_}, task_.strategy, std::move(options));
        return {found.best.cost, found.effort};
    }

    const ScheduleTask &task_;
    const RankingModels models_;
    const double most_s_;
    SearchClock clock_;
    const size_t at_once_;
};

}  // namespace

ComparedFactorings choose_factors(const ScheduleTask &task) {
    const size_t reductions = task.variants.reductions.size();
    if (reductions == 0 || task.strategy.info().pace == Pace::none) {
        return {{Factorings(reductions), {}}, {}};
    }
    return VariantComparison(task).run();
}

}  // namespace autoschedule_gpu
