// Grid search (Canesche et al. 2024, example 2.8): the points of a bounded region, in the order of
// the decisions (grid_points.h), from the default schedule on. What leads to no schedule is passed
// over. With fewer trials than points, the region is what the first decisions span: the tiles of
// the outputs.
#include <algorithm>
#include <span>
#include <utility>

#include "tune/strategies/grid_points.h"
#include "tune/strategies/priced_lists.h"
#include "tune/strategies/rounds.h"
#include "tune/strategies/shipped.h"

namespace autoschedule_gpu {
namespace {

constexpr int kPointsTogether = 64;  // points that are looked at together
constexpr int kMostFruitless = 64;   // such batches, one after the other, without a schedule

class GridSearch final : public StrategyInRounds {
public:
    explicit GridSearch(const TuneOptions &options) : StrategyInRounds(options, kPointsTogether) {}

    std::string_view name() const override { return "grid"; }
    StartsFrom starts_from() const override { return StartsFrom::own_draws; }

    Result<std::vector<size_t>> run(Session &session) const override {
        Result<ListedDecisions> origin = origin_of(session);
        if (!origin) return end_strategy(session, name(), origin.error().message);
        GridPoints points(std::move(origin).value());
        ScheduleHashes seen;
        int fruitless = 0;
        for (int left = rounds().trials(); left > 0 && !session.is_over();) {
            const std::vector<ListedDecisions> looked_at = points_of(points, rounds().batch);
            if (looked_at.empty())
                return end_strategy(session, name(), "that was all of the space");
            const auto lists = new_lists(session, looked_at, seen);
            if (!lists) return lists.error();
            fruitless = lists->empty() ? fruitless + 1 : 0;
            if (fruitless > kMostFruitless)
                return end_strategy(session, name(), "no further point is a schedule");
            const Result<std::vector<size_t>> trials = attempt_lists(
                session,
                std::span(*lists).first(std::min(lists->size(), static_cast<size_t>(left))));
            if (!trials) return trials;
            left -= static_cast<int>(trials->size());
        }
        return end_strategy(session, name(), "as many trials as are asked for");
    }

private:
    static std::vector<ListedDecisions> points_of(GridPoints &points, int count) {
        std::vector<ListedDecisions> lists;
        for (int i = 0; i < count; ++i) {
            if (auto point = points.next()) lists.push_back(*std::move(point));
        }
        return lists;
    }
};

}  // namespace

std::shared_ptr<const TuneStrategy> make_grid_search(const TuneOptions &options) {
    return std::make_shared<GridSearch>(options);
}

}  // namespace autoschedule_gpu
