// A way to spend a tuner's budget: which schedules are tried, in what order. Strategies are values
// without state; what a run has found is the session's.
//
//     registry.h ─► TuneStrategy ─► trials in the session ─► finals (final_comparison.h)
//
// A run makes one or several, one after the other. Before the first of them, the default schedule
// is measured (tune/run/tuner.h).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "core/support/error.h"
#include "core/support/hash.h"
#include "tune/session/budget.h"
#include "tune/session/session.h"
#include "tune/strategies/tune_options.h"

namespace autoschedule_gpu {

// Where a strategy begins: with schedules of its own, or with the best that the session has. What
// earlier runs have found is tried before the latter.
enum class StartsFrom : uint8_t { own_draws, best_known };

class TuneStrategy {
public:
    virtual ~TuneStrategy() = default;

    virtual std::string_view name() const = 0;
    virtual StartsFrom starts_from() const = 0;

    // How many trials it makes if nothing ends it earlier; 0 where it can't know.
    virtual int trials_wanted() const { return 0; }
    // How many it makes at least, as far as the schedules of the session tell.
    virtual int least_trials(const Session &) const { return trials_wanted(); }
    // How many of trials_wanted() it runs, at most.
    virtual int runs_wanted() const { return trials_wanted(); }

    // Whether with another budget it makes other trials, not only more or fewer.
    virtual bool goes_by(const Budget &) const { return false; }

    // Adds the settings on which its trials depend: runs of equal settings go on from each other.
    virtual void add_settings_to(Hasher &) const {}

    // Tries schedules until it is done or the session is over, and closes what it has tried
    // (Session::close). Returns the trials, by index, that take part in the finals whatever their
    // first measurement was. An error only where nothing more can be built or measured.
    virtual Result<std::vector<size_t>> run(Session &session) const = 0;
};

using TuneStrategies = std::vector<std::shared_ptr<const TuneStrategy>>;

// A strategy before its options are known.
struct TuneStrategyMaker {
    std::string_view name;
    std::string_view summary;  // for help texts: what it does, without a full stop
    std::function<std::shared_ptr<const TuneStrategy>(const TuneOptions &)> make;
};

}  // namespace autoschedule_gpu
