// What strategies share that try schedules in rounds: how many there are, what of that is a
// setting, and how they end.
#pragma once

#include <string_view>
#include <vector>

#include "core/support/error.h"
#include "core/support/hash.h"
#include "tune/session/session.h"
#include "tune/strategies/tune_options.h"
#include "tune/strategies/tune_strategy.h"

namespace autoschedule_gpu {

struct Rounds {
    int batch = 0;  // schedules of a round
    int count = 0;

    int trials() const { return batch * count; }
    void add_to(Hasher &hasher) const {
        hasher.add(static_cast<uint64_t>(batch)).add(static_cast<uint64_t>(count));
    }
};

inline Rounds rounds_of(const TuneOptions &options, int usual_batch) {
    return {.batch = options.batch.value_or(usual_batch), .count = options.iterations};
}

class StrategyInRounds : public TuneStrategy {
public:
    int trials_wanted() const final { return rounds_.trials(); }
    void add_settings_to(Hasher &hasher) const override { rounds_.add_to(hasher); }

protected:
    // `usual_batch`: unless the options say otherwise.
    StrategyInRounds(const TuneOptions &options, int usual_batch)
        : rounds_(rounds_of(options, usual_batch)) {}

    const Rounds &rounds() const { return rounds_; }

private:
    Rounds rounds_;
};

// Notes in the journal why a strategy ended: `why`, unless the run is over. Returns no trials for
// the finals, for the fastest are there in any case.
inline Result<std::vector<size_t>> end_strategy(Session &session, std::string_view strategy,
                                                std::string_view why) {
    Journal &journal = session.parts().journal;
    const bool is_over = session.is_over();
    if (is_over) journal.drop_announced();
    journal.add({{"event", "strategy ended"},
                 {"strategy", strategy},
                 {"why", is_over ? "the run is over" : why}});
    if (Status saved = journal.save(); !saved) return saved.error();
    return std::vector<size_t>();
}

}  // namespace autoschedule_gpu
