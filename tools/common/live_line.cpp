#include "common/live_line.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "common/stop_signal.h"

namespace autoschedule_gpu {
namespace {

constexpr auto kTick = std::chrono::milliseconds{200};

}  // namespace

LiveLine::LiveLine(std::string on_stop)
    : on_stop_(std::move(on_stop)), thread_([this] { stay_alive(); }) {}

LiveLine::~LiveLine() {
    end();
}

void LiveLine::show(int done, int total, const std::string &doing, std::optional<TimeLeft> left) {
    const std::lock_guard lock(mutex_);
    Shown next{.done = done, .total = total, .doing = doing, .left = std::move(left)};
    const bool is_news = !last_ || !next.says_the_same_as(*last_);
    last_ = std::move(next);
    if (is_news) show_last();
}

void LiveLine::say(const std::string &text) {
    const std::lock_guard lock(mutex_);
    line_.say(text);
}

void LiveLine::end() {
    {
        const std::lock_guard lock(mutex_);
        has_ended_ = true;
        line_.clear();
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void LiveLine::stay_alive() {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, kTick, [this] { return has_ended_; })) {
        answer_stop();
        show_again();
    }
}

void LiveLine::answer_stop() {
    if (is_stop_answered_ || !stop_was_asked()) return;
    is_stop_answered_ = true;
    line_.say(on_stop_);
}

void LiveLine::show_again() {
    if (last_ && since_shown_.seconds() >= line_.repeat_after_s()) show_last();
}

void LiveLine::show_last() {
    since_shown_ = {};
    std::optional<TimeLeft> left = last_->left;
    if (left) left->seconds = std::max(0.0, left->seconds - last_->since.seconds());
    line_.show(last_->done, last_->total, last_->doing, left);
}

}  // namespace autoschedule_gpu
