#include "compare/explain/kernel_graph.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "compare/explain/words.h"

namespace autoschedule_gpu {

namespace {

// "hist" of the stage "hist.update(0)".
struct Read {
    std::string func;
    std::optional<double> bytes = {};  // none: not known
};

class Builder {
public:
    explicit Builder(const Explained &schedule) : schedule_(schedule) {
        for (size_t i = 0; i < schedule.kernels.size(); ++i) {
            for (const ExplainedLoops &loops : schedule.kernels[i].loops) {
                writers_[func_of_stage(loops.stage)].push_back(i);
            }
            if (schedule.kernels[i].on_host) {
                writers_[func_of_stage(schedule.kernels[i].stage)].push_back(i);
            }
        }
    }

    Graph make() && {
        graph_.title = "Kernels and the arrays between them";
        for (size_t i = 0; i < schedule_.kernels.size(); ++i) graph_.boxes.push_back(box_of(i));
        std::vector<std::pair<GraphArrow, double>> arrows;
        for (size_t i = 0; i < schedule_.kernels.size(); ++i) {
            for (const Read &read : reads_of(schedule_.kernels[i])) {
                const std::string size = read.bytes ? ", " + bytes_text(*read.bytes) : "";
                for (const size_t from : sources_of(read.func, i)) {
                    arrows.push_back({{from, i, read.func + size}, read.bytes.value_or(0)});
                }
            }
            chain_updates(i, arrows);
        }
        double most = 0;
        for (const auto &[arrow, bytes] : arrows) most = std::max(most, bytes);
        for (auto &[arrow, bytes] : arrows) {
            arrow.share = most > 0 ? bytes / most : 0;
            graph_.arrows.push_back(std::move(arrow));
        }
        return std::move(graph_);
    }

private:
    GraphBox box_of(size_t index) const {
        const ExplainedKernel &kernel = schedule_.kernels[index];
        GraphBox box{.title = std::to_string(index + 1) + ". " + kernel.stage,
                     .link = "#" + kernel_id(index),
                     .css_class = kernel.on_host ? "host" : "kernel"};
        if (kernel.predicted_us) {
            const double all = schedule_.predicted_us.value_or(0);
            box.share = all > 0 ? std::min(1.0, *kernel.predicted_us / all) : 0;
            box.lines.push_back(time_text(*kernel.predicted_us) + ", " + share_text(box.share));
            box.lines.push_back(kernel.on_host ? "on the host"
                                               : "limited by " + resource_text(kernel.bound_by));
        }
        const size_t inside = kernel.stages.size() - std::min<size_t>(1, kernel.stages.size());
        std::string line = inside == 0 ? "" : "+" + std::to_string(inside) + " inside";
        if (!kernel.inlined.empty()) {
            line += (line.empty() ? "" : ", ") + std::to_string(kernel.inlined.size()) + " inline";
        }
        if (!line.empty()) box.lines.push_back(line);
        return box;
    }

    std::vector<Read> reads_of(const ExplainedKernel &kernel) const {
        std::vector<Read> reads;
        for (const ExplainedBuffer &buffer : kernel.buffers) {
            if (buffer.access == "read") reads.push_back({buffer.func, buffer.bytes});
        }
        if (!kernel.buffers.empty()) return reads;
        std::set<std::string> found, seen;
        for (const std::string &stage : kernel.stages) look_at(func_of_stage(stage), found, seen);
        for (const std::string &func : found) reads.push_back({func});
        return reads;
    }

    // What a Func reads that is stored between kernels, through Funcs that are inlined.
    void look_at(const std::string &name, std::set<std::string> &found,
                 std::set<std::string> &seen) const {
        const ExplainedFunc *func = schedule_.func(name);
        if (func == nullptr || !seen.insert(name).second) return;
        for (const std::string &read : func->reads) {
            const ExplainedFunc *other = schedule_.func(read);
            const bool is_stored =
                writers_.contains(read) || (other != nullptr && other->kind == "input");
            if (is_stored) {
                found.insert(read);
            } else {
                look_at(read, found, seen);
            }
        }
    }

    // The kernel that wrote it last; an input has a box of its own, which is made here.
    std::vector<size_t> sources_of(const std::string &func, size_t reader) {
        if (const auto writers = writers_.find(func); writers != writers_.end()) {
            std::vector<size_t> before;
            for (const size_t writer : writers->second) {
                if (writer < reader) before = {writer};
            }
            return before;
        }
        const auto [at, is_new] = inputs_.try_emplace(func, graph_.boxes.size());
        if (is_new) graph_.boxes.push_back(input_box(func));
        return {at->second};
    }

    GraphBox input_box(const std::string &name) const {
        GraphBox box{.title = name, .css_class = "data"};
        const ExplainedFunc *func = schedule_.func(name);
        if (func == nullptr) return box;
        std::string size;
        for (const int64_t extent : func->extents) {
            size += (size.empty() ? "" : " × ") + count_text(static_cast<double>(extent));
        }
        box.lines = {func->kind, size};
        return box;
    }

    // Updates follow each other: the array stays where it is.
    void chain_updates(size_t index, std::vector<std::pair<GraphArrow, double>> &arrows) const {
        for (const auto &[func, writers] : writers_) {
            const auto at = std::ranges::find(writers, index);
            if (at == writers.end() || at == writers.begin() || *(at - 1) == index) continue;
            const auto is_same = [&](const auto &arrow) {
                return arrow.first.from == *(at - 1) && arrow.first.to == index;
            };
            if (std::ranges::any_of(arrows, is_same)) continue;
            arrows.push_back({{*(at - 1), index, func + ", an update of it"}, 0});
        }
    }

    const Explained &schedule_;
    Graph graph_;
    std::map<std::string, std::vector<size_t>> writers_;  // kernels, by Func
    std::map<std::string, size_t> inputs_;                // boxes
};

}  // namespace

std::string kernel_id(size_t index) {
    return "kernel-" + std::to_string(index + 1);
}

Graph kernel_graph(const Explained &schedule) {
    return Builder(schedule).make();
}

}  // namespace autoschedule_gpu
