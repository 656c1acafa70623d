#include "plugins/autoscheduler/price_candidates.h"

#include <cmath>
#include <deque>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/json/json.h"
#include "core/support/file.h"
#include "core/support/hash.h"
#include "core/support/hex.h"
#include "core/support/parallel.h"
#include "plugins/autoscheduler/adapted_decisions.h"
#include "plugins/autoscheduler/chosen_kernels.h"
#include "plugins/autoscheduler/given_schedule.h"
#include "scheduler/model/make_cost_model.h"
#include "scheduler/schedule/directives_of_nest.h"
#include "scheduler/schedule/trace.h"

namespace autoschedule_gpu {
namespace {

// What a quick search decides, for lists that are not about their variant.
struct QuickSearch {
    const VariantFollower *variant;
    Freedom freedom;
    Result<DecisionList> decisions = Error{"nobody has searched"};
};

// A list, and the pipeline that it is to be followed in.
struct Candidate {
    DecisionList list;
    const VariantFollower *variant;
    const QuickSearch *quick = nullptr;  // null: the list is about the variant
};

// The variants of the lists so far, which Halide makes in one thread, and the searches in them.
class Variants {
public:
    explicit Variants(const ScheduleTask &task) : task_(task) {}

    // Its search is still to be made.
    Result<Candidate> candidate(const std::string &json) {
        Result<DecisionList> list = given_list(task_, json);
        if (!list) return list.error();
        const Result<Factorings> choices = task_.variants.choices_of(*list);
        if (!choices) return choices.error();
        std::string name;
        for (const Factoring &choice : *choices) name += to_string(choice) + " ";
        auto found = made_.find(name);
        if (found == made_.end()) found = made_.emplace(name, made(*choices)).first;
        if (!found->second) return found->second.error();
        const VariantFollower &variant = *found->second;
        const QuickSearch *quick =
            variant.is_about(*list) ? nullptr : &search_in(variant, list->freedom);
        return Candidate{std::move(list).value(), &variant, quick};
    }

    // Each is made once: it takes as long as hundreds of lists.
    void search(ThreadPool &pool) {
        pool.for_each(searches_.size(), [&](size_t i) {
            QuickSearch &one = searches_[i];
            one.decisions = one.variant->quick_decisions(one.freedom);
        });
    }

private:
    Result<VariantFollower> made(const Factorings &choices) const {
        Result<PipelineVariant> variant = task_.variants.make(choices);
        if (!variant) return variant.error();
        return VariantFollower(task_, std::move(variant).value());
    }

    QuickSearch &search_in(const VariantFollower &variant, Freedom freedom) {
        for (QuickSearch &one : searches_) {
            if (one.variant == &variant && one.freedom == freedom) return one;
        }
        return searches_.emplace_back(QuickSearch{&variant, freedom});
    }

    const ScheduleTask &task_;
    std::map<std::string, Result<VariantFollower>> made_;  // by their factorings
    std::deque<QuickSearch> searches_;                     // candidates point to both
};

Result<Followed> follow(const Candidate &candidate) {
    const auto &[list, variant, quick] = candidate;
    if (quick == nullptr) return variant->follow_as_it_is(list);
    if (!quick->decisions) return quick->decisions.error();
    return variant->follow_adapted(list, *quick->decisions);
}

Json refused(const std::string &why) {
    return {{"refused", why}};
}

Json price(const ScheduleTask &task, const CostModel &model, const Candidate &candidate) {
    const Result<Followed> followed = follow(candidate);
    if (!followed) return refused(followed.error().message);
    const Schedule own = directives(*followed->dag, followed->state.nest);
    const PipelineVariant &variant = candidate.variant->variant();
    if (Status fits = check_against(own, *variant.read); !fits) {
        return refused(fits.error().message);
    }
    const std::vector<FeatureTable> kernels =
        features_of(*followed->dag, task.gpu, followed->state.nest);
    std::vector<double> costs_ns(kernels.size());
    model.estimate(kernels, costs_ns);
    double sum = 0;
    for (const double cost : costs_ns) sum += cost;
    if (!std::isfinite(sum)) return refused("the cost model has no cost for it");
    Schedule schedule = variant.factors;
    schedule.insert(schedule.end(), own.begin(), own.end());
    const std::string text = to_json(schedule, task.as_read.hash());
    return {{"schedule", to_hex(Hasher().add(text).value())}, {"cost_ns", sum}};
}

}  // namespace

Result<std::string> price_candidates(const ScheduleTask &task) {
    const Result<std::string> text = read_file(task.parameters.candidates);
    if (!text) return Error{"autoscheduler.candidates: " + text.error().message};
    Variants variants(task);
    std::vector<Result<Candidate>> candidates;
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
        candidates.push_back(variants.candidate(line));
    }
    ThreadPool pool(static_cast<int>(task.parameters.threads));
    variants.search(pool);
    const std::unique_ptr<const CostModel> model = make_cost_model(task.model, task.gpu);
    std::vector<std::string> prices(candidates.size());
    pool.for_each(candidates.size(), [&](size_t i) {
        const Result<Candidate> &one = candidates[i];
        prices[i] = dump(one ? price(task, *model, *one) : refused(one.error().message)) + "\n";
    });
    std::string all;
    for (const std::string &line : prices) all += line;
    return all;
}

}  // namespace autoschedule_gpu
