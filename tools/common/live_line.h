// A progress line that stays alive by itself: while a step takes long, it is shown again with the
// time that has passed, and it answers Ctrl-C at once, whatever the tool waits for. Steps that
// follow each other fast and of which the same is to be said share a line.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "common/progress_line.h"
#include "core/support/stopwatch.h"

namespace autoschedule_gpu {

class LiveLine {
public:
    // `on_stop`: what is said once when stop_was_asked().
    explicit LiveLine(std::string on_stop);
    ~LiveLine();
    LiveLine(const LiveLine &) = delete;
    LiveLine &operator=(const LiveLine &) = delete;

    // As ProgressLine has it, at once if there is news, be it not only of the time left; else when
    // it is worth showing again. Any thread may call it.
    void show(int done, int total, const std::string &doing, std::optional<TimeLeft> left = {});

    // Shows a line that stays. Any thread may call it.
    void say(const std::string &text);

    // Ends it, before other output.
    void end();

private:
    struct Shown {
        int done = 0, total = 0;
        std::string doing = {};
        std::optional<TimeLeft> left = {};
        Stopwatch since = {};

        bool says_the_same_as(const Shown &other) const {
            return done == other.done && total == other.total && doing == other.doing;
        }
    };

    void stay_alive();
    void answer_stop();
    void show_again();
    void show_last();

    const std::string on_stop_;
    std::mutex mutex_;  // of all below but the thread
    std::condition_variable wake_;
    ProgressLine line_;
    std::optional<Shown> last_;
    Stopwatch since_shown_;
    bool is_stop_answered_ = false, has_ended_ = false;
    std::thread thread_;
};

}  // namespace autoschedule_gpu
