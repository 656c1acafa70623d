// The strategies of this library; each is a file of this room.
#pragma once

#include <memory>
#include <vector>

#include "tune/strategies/tune_strategy.h"

namespace autoschedule_gpu {

std::shared_ptr<const TuneStrategy> make_batch(const TuneOptions &options);
std::shared_ptr<const TuneStrategy> make_coordinate_descent(const TuneOptions &options);
std::shared_ptr<const TuneStrategy> make_random_search(const TuneOptions &options);
std::shared_ptr<const TuneStrategy> make_grid_search(const TuneOptions &options);
std::shared_ptr<const TuneStrategy> make_annealing(const TuneOptions &options);
std::shared_ptr<const TuneStrategy> make_evolutionary(const TuneOptions &options);
std::shared_ptr<const TuneStrategy> make_genetic(const TuneOptions &options);

inline std::vector<TuneStrategyMaker> shipped_tune_strategies() {
    return {
        {"batch", "schedules at random, as --mode says", make_batch},
        {"coordinate_descent",
         "one decision at a time, from the best of the batch if --mode is given, else from the "
         "best that is known (--origin); as sure as --confidence",
         make_coordinate_descent},
        {"random", "all decisions at random", make_random_search},
        {"grid", "all choices of the first decisions in order, then of further ones",
         make_grid_search},
        {"annealing",
         "simulated annealing by measured times, from the best that is known; it cools over the "
         "trials of --budget, so give it some (400t), for a time alone may end it while it is hot",
         make_annealing},
        {"evolutionary",
         "mutants of the best ones, thousands of which are priced by the model for each batch that "
         "is measured; then the model is retrained",
         make_evolutionary},
        {"genetic",
         "generations of schedules, all of which are measured: the best stay, are crossed and "
         "mutated Func by Func",
         make_genetic},
    };
}

}  // namespace autoschedule_gpu
