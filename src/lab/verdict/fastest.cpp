#include "lab/verdict/fastest.h"

#include <algorithm>

#include "core/support/statistics.h"

namespace autoschedule_gpu {
namespace {

// The parts of a run's finals, which go on from each other, have labels that end alike.
std::string run_of(const std::string &label) {
    return label.substr(label.rfind(' ') + 1);
}

// Which times count, and by what they are divided.
class Basis {
public:
    explicit Basis(std::span<const Contender> contenders) {
        for (const Contender &contender : contenders) {
            has_finals_ |= !contender.finals_ms.empty();
            if (!contender.is_reference) continue;
            std::map<std::string, std::vector<double>> runs;
            for (const auto &[name, times_ms] : contender.finals_ms) {
                std::vector<double> &all = runs[run_of(name)];
                all.insert(all.end(), times_ms.begin(), times_ms.end());
            }
            for (const auto &[run, times_ms] : runs) {
                const double ms = median(times_ms);
                const auto [place, is_new] = reference_ms_.try_emplace(run, ms);
                if (!is_new) place->second = std::min(place->second, ms);
            }
        }
    }

    std::vector<double> times_ms(const Contender &contender) const {
        return collect(contender, [](const std::string &) { return 1.0; });
    }

    // Equal units within one basis; those of the times where these are of one run.
    std::vector<double> shares(const Contender &contender) const {
        return collect(contender, [&](const std::string &name) {
            return reference_ms_.size() < 2 ? 1.0 : reference_ms_.at(run_of(name));
        });
    }

    double level() const {
        return has_finals_ ? level_of_look(kSignificanceLevel, kLooksAtFinals) : kSignificanceLevel;
    }

private:
    template <typename Unit>
    std::vector<double> collect(const Contender &contender, const Unit &unit) const {
        if (!has_finals_) return contender.first_ms;
        std::vector<double> all;
        for (const auto &[name, times_ms] : contender.finals_ms) {
            if (!reference_ms_.empty() && !reference_ms_.contains(run_of(name))) continue;
            for (const double ms : times_ms) all.push_back(ms / unit(name));
        }
        return all;
    }

    bool has_finals_ = false;
    std::map<std::string, double> reference_ms_;  // by run
};

}  // namespace

bool is_of_finals(std::string_view comparison) {
    return comparison.starts_with(kFinals) && comparison.substr(kFinals.size()).starts_with(" ");
}

std::optional<Verdict> find_fastest(std::span<const Contender> contenders) {
    const Basis basis(contenders);
    std::vector<std::vector<double>> shares;
    std::optional<size_t> reference, challenger;
    for (size_t i = 0; i < contenders.size(); ++i) {
        shares.push_back(basis.shares(contenders[i]));
        if (shares[i].empty()) continue;
        std::optional<size_t> &best = contenders[i].is_reference ? reference : challenger;
        if (!best || median(shares[i]) < median(shares[*best])) best = i;
    }
    if (!reference && !challenger) return std::nullopt;
    if (!reference) return Verdict{.winner = *challenger};
    Verdict verdict{.winner = *reference, .reference = reference};
    if (!challenger) return verdict;
    const double gain = median(shares[*reference]) / median(shares[*challenger]);
    verdict.challengers_luck = chance_of_luck(shares[*challenger], shares[*reference]);
    if (gain > 1 && verdict.challengers_luck < basis.level()) {
        verdict.winner = *challenger;
        verdict.times_as_fast = gain;
    }
    return verdict;
}

std::vector<double> times_that_count(std::span<const Contender> contenders, size_t contender) {
    return Basis(contenders).times_ms(contenders[contender]);
}

}  // namespace autoschedule_gpu
