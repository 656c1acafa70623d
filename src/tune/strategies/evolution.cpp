#include "tune/strategies/evolution.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "tune/strategies/mutation.h"

namespace autoschedule_gpu {
namespace {

// Of the budget, the most for the prices of a round. Half of a budget may go to the reference, the
// schedule without tuning, the finals and the export; two rounds with their trials are to fit into
// the rest, and a machine that others use, too, takes longer.
constexpr double kPricingShare = 0.125;
// CPU time to price a list, by its length. A tenth more than bgu takes, others take a half or less
// (camera_pipe, interpolate, local_laplacian, unsharp; 2026-11-27); threads make it less.
constexpr double kSecondsPerDecision = 1e-4;
// Random draws are made anew where they lead nowhere, which is known sooner than a price. All in
// all they take as long as so many generations.
constexpr int kGenerationsToBegin = 3;
// From which four generations still find as many as are measured in a round.
constexpr size_t kFewestChains = 16;

class Chains {
public:
    Chains(Session &session, const EvolutionSettings &settings, const ScheduleHashes &tried,
           Random &random)
        : session_(session), settings_(settings), known_(tried), random_(random) {}

    // The first generation: the fastest measured ones, then random draws, as often as it takes.
    Status begin(std::span<const ListedDecisions> measured, const ListedDecisions &origin) {
        const auto share = static_cast<size_t>(settings_.measured_share *
                                               static_cast<double>(settings_.population));
        const size_t most = std::max<size_t>(share, 1);
        const auto parents = priced(session_, measured);
        if (!parents) return parents.error();
        std::vector<PricedList> members;
        for (const auto &parent : *parents) {
            if (!parent) continue;
            known_.insert(parent->price.schedule);
            result_.measured_ns.insert(parent->price.cost_ns);
            if (members.size() < most) members.push_back(*parent);
        }
        ScheduleHashes seen = known_;
        const auto drawn =
            random_lists(session_, origin, settings_.population - members.size(), random_, seen);
        if (!drawn) return drawn.error();
        for (const PricedList &one : *drawn) {
            found_.emplace(one.price.schedule, one);
            members.push_back(one);
        }
        for (size_t i = 0; i < settings_.population && !members.empty(); ++i) {
            chains_.push_back(members[i % members.size()]);
        }
        return Ok{};
    }

    Status next_generation(double temperature) {
        std::vector<ListedDecisions> proposals;
        std::vector<size_t> proposers;
        for (size_t i = 0; i < chains_.size(); ++i) {
            if (random_.unit() >= settings_.mutation_chance) continue;
            if (std::optional<ListedDecisions> mutant = mutated(chains_[i].list, random_)) {
                proposals.push_back(*std::move(mutant));
                proposers.push_back(i);
            }
        }
        const auto mutants = priced(session_, proposals);
        if (!mutants) return mutants.error();
        result_.proposed += proposals.size();
        for (size_t i = 0; i < proposals.size(); ++i) {
            const double chance = random_.unit();
            const std::optional<PricedList> &mutant = (*mutants)[i];
            if (!mutant) {
                ++result_.refused;
                continue;
            }
            if (!known_.contains(mutant->price.schedule)) {
                found_.emplace(mutant->price.schedule, *mutant);
            }
            PricedList &chain = chains_[proposers[i]];
            const double gain = std::log(chain.price.cost_ns / mutant->price.cost_ns);
            if (chance >= std::exp(gain / temperature)) continue;
            chain = *mutant;
            ++result_.accepted;
        }
        return Ok{};
    }

    Evolution end() && {
        for (auto &[schedule, list] : found_) result_.found.push_back(std::move(list));
        std::ranges::stable_sort(result_.found, {},
                                 [](const PricedList &one) { return one.price.cost_ns; });
        return std::move(result_);
    }

private:
    Session &session_;
    const EvolutionSettings &settings_;
    ScheduleHashes known_;  // not to be found
    Random &random_;
    std::vector<PricedList> chains_;
    std::map<uint64_t, PricedList> found_;  // by schedule
    Evolution result_;
};

}  // namespace

EvolutionSettings fitted(EvolutionSettings settings, const Budget &budget,
                         const ListedDecisions &origin, size_t others) {
    if (!budget.seconds) return settings;
    const auto decisions = static_cast<double>(std::max<size_t>(origin.decisions().size(), 1));
    const double lists = kPricingShare * *budget.seconds / (kSecondsPerDecision * decisions);
    const double most =
        (lists - static_cast<double>(others)) / (settings.generations + kGenerationsToBegin);
    if (most >= static_cast<double>(settings.population)) return settings;
    const size_t least = std::min(kFewestChains, settings.population);
    settings.population = std::max(least, static_cast<size_t>(std::max(most, 0.0)));
    return settings;
}

Result<Evolution> evolve(Session &session, const EvolutionSettings &settings,
                         std::span<const ListedDecisions> measured, const ListedDecisions &origin,
                         const ScheduleHashes &tried, Random &random) {
    Chains chains(session, settings, tried, random);
    if (Status begun = chains.begin(measured, origin); !begun) return begun.error();
    const double steps = std::max(1, settings.generations - 1);
    for (int g = 0; g < settings.generations && !session.is_over(); ++g) {
        const double temperature =
            settings.hottest * std::pow(settings.coldest / settings.hottest, g / steps);
        const Status made = chains.next_generation(temperature);
        if (!made) return made.error();
    }
    return std::move(chains).end();
}

}  // namespace autoschedule_gpu
