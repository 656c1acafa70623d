// Points of the space at random, all choices of a decision with the same chance (Canesche et al.
// 2024, example 2.8): what other strategies have to beat. The space is that of the default
// schedule's list of decisions; what leads to no schedule is drawn again (priced_lists.h), and the
// model is not asked for more than whether there is one.
#include <utility>

#include "core/support/hash.h"
#include "tune/strategies/priced_lists.h"
#include "tune/strategies/rounds.h"
#include "tune/strategies/shipped.h"

namespace autoschedule_gpu {
namespace {

constexpr int kDrawsTogether = 64;  // that are drawn together

class RandomSearch final : public StrategyInRounds {
public:
    explicit RandomSearch(const TuneOptions &options)
        : StrategyInRounds(options, kDrawsTogether), seed_(options.seed) {}

    std::string_view name() const override { return "random"; }
    StartsFrom starts_from() const override { return StartsFrom::own_draws; }

    Result<std::vector<size_t>> run(Session &session) const override {
        const Result<ListedDecisions> origin = origin_of(session);
        if (!origin) return end_strategy(session, name(), origin.error().message);
        Random random(Hasher(seed_).add(name()).value());
        ScheduleHashes seen;
        const auto begun = new_lists(session, {&*origin, 1}, seen);  // it is measured already
        if (!begun) return begun.error();
        for (int i = 0; i < rounds().count && !session.is_over(); ++i) {
            // What is drawn depends on how many are drawn together. The first batch is a whole one,
            // of which as many are tried as the budget allows: the same under every budget. The
            // last of several is as large as what is left, as recorded runs have it.
            const int count = i == 0 ? rounds().batch : session.trials_left(rounds().batch);
            const auto lists =
                random_lists(session, *origin, static_cast<size_t>(count), random, seen);
            if (!lists) return lists.error();
            if (lists->empty())
                return end_strategy(session, name(), "no further schedule was drawn");
            const Result<std::vector<size_t>> trials = attempt_lists(session, *lists);
            if (!trials) return trials;
        }
        return end_strategy(session, name(), "as many trials as are asked for");
    }

private:
    uint64_t seed_;
};

}  // namespace

std::shared_ptr<const TuneStrategy> make_random_search(const TuneOptions &options) {
    return std::make_shared<RandomSearch>(options);
}

}  // namespace autoschedule_gpu
