// The loops of one stage while the directives of a schedule are gone through: which there are at a
// time, and what each has been made.
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "core/dag/dag.h"
#include "scheduler/schedule/directive.h"

namespace autoschedule_gpu {

// Why a directive makes no sense, as a sentence without its subject; nothing where it does.
using Complaint = std::optional<std::string>;

// The stage must outlive it.
class StageState {
public:
    explicit StageState(const Stage &stage) : stage_(&stage) {
        for (size_t i = 0; i < stage.loops.size(); ++i) {
            live_.push_back(
                {{static_cast<int>(i), stage.loops[i].name}, std::nullopt, stage.loops[i].kind});
            names_.insert(stage.loops[i].name);
        }
        live_.push_back({LoopRef::outermost(), std::nullopt});
    }

    Complaint apply(const Directive &directive);

    // Takes the loops of an rfactor out. Returns the update of what it makes; the loops that are
    // left are those that were taken out, and the pure ones.
    std::variant<StageState, std::string> take_out(const Directive &rfactor);

    // The same for another branch, where what is unrolled so far may be a vector instead.
    StageState branch() const {
        StageState other = *this;
        for (LiveLoop &live : other.live_) {
            if (live.mark == DirectiveOp::unroll) live.mark.reset();
        }
        return other;
    }

    // True if no directive has been applied yet.
    bool is_fresh() const { return !touched_; }

    bool is_live(const LoopRef &loop) const {
        return std::any_of(live_.begin(), live_.end(),
                           [&](const LiveLoop &live) { return live.loop == loop; });
    }

    bool has_original(const LoopRef &loop) const {
        return static_cast<size_t>(loop.original) < stage_->loops.size();
    }

    std::string shown(const LoopRef &loop) const {
        if (!loop.is_original()) return "\"" + loop.name + "\"";
        const std::string position = "loop " + std::to_string(loop.original);
        if (!has_original(loop)) return position;
        return position + " (" + stage_->loops[static_cast<size_t>(loop.original)].name + ")";
    }

    // Why `loop` is not there now.
    std::string missing(const LoopRef &loop) const {
        if (loop.is_original() && !has_original(loop)) {
            return "the stage has " + std::to_string(stage_->loops.size()) +
                   " loops of its own; there is no " + shown(loop);
        }
        const bool existed = loop.is_original() || names_.contains(loop.name);
        return shown(loop) + (existed ? " is no longer there: a split or fusion has consumed it"
                                      : " is used before a directive makes it");
    }

private:
    struct LiveLoop {
        LoopRef loop;
        std::optional<DirectiveOp> mark;
        Loop::Kind kind = Loop::Kind::pure;
    };

    LiveLoop *find(const LoopRef &loop) {
        const auto it = std::find_if(live_.begin(), live_.end(),
                                     [&](const LiveLoop &live) { return live.loop == loop; });
        return it == live_.end() ? nullptr : &*it;
    }

    Complaint consume(const Directive &directive, size_t old_count);
    Complaint make(const LoopRef &loop, Loop::Kind kind);
    Complaint mark(const Directive &directive);
    Complaint single_thread();
    Complaint atomic();

    const Stage *stage_;
    std::vector<LiveLoop> live_;
    std::set<std::string> names_;  // ever used in this stage
    bool touched_ = false;
    bool single_thread_ = false;
    bool atomic_ = false;
};

}  // namespace autoschedule_gpu
