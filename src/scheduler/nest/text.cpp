#include "scheduler/nest/text.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <sstream>

#include "scheduler/nest/edit.h"
#include "scheduler/nest/level_name.h"
#include "scheduler/nest/sliding.h"

namespace autoschedule_gpu {

// ---- writing

std::string_view to_string(Level level) {
    switch (level) {
        case Level::block:
            return "blocks";
        case Level::thread:
            return "threads";
        case Level::serial:
            return "serial";
        case Level::strided:
            return "strided";
        case Level::spread:
            return "spread";
    }
    return "";
}

// Of an update that has it.
static std::string_view own_loop_name(Outside outside) {
    return outside == Outside::all ? "loop" : "outer_loop";
}

static void write_trips(const Dag &dag, const Band &band, std::string &out) {
    const Stage &stage = dag.stage(band.stage);
    for (size_t i = 0; i < band.trips.size(); ++i) {
        if (band.trips[i] == 1) continue;
        out += ' ' + stage.loops[i].name + '=' + std::to_string(band.trips[i]);
    }
}

static void write_band(const Dag &dag, const Band &band, int depth, std::string &out) {
    out += std::string(2 * depth, ' ') + stage_name(dag, band.stage) + ' ';
    out += band.flat ? "flat" : to_string(band.level);
    write_trips(dag, band, out);
    if (band.row != 0) out += " row " + std::to_string(band.row);
    if (band.loop.valid()) {
        const std::string own(own_loop_name(band.loop.outside));
        out += " in " + (has_own_loop(band) ? own : stage_name(dag, band.loop.update));
    }
    if (band.steps != 1) out += " steps " + std::to_string(band.steps);
    if (band.unroll != Unroll::all) out += " unroll " + std::string(to_string(band.unroll));
    out += '\n';
    for (const BandPtr &child : band.body) write_band(dag, *child, depth + 1, out);
}

std::string to_text(const Dag &dag, const Kernel &kernel) {
    std::string out = "kernel " + stage_name(dag, kernel.stage);
    if (kernel.on_host) return out + " host\n";
    if (kernel.with.valid()) out += " with " + stage_name(dag, kernel.with);
    for (const auto &[is_on, off] : kKernelOptions) {
        if (!(kernel.*is_on)) out.append(" ").append(off);
    }
    out += " blocks";
    write_trips(dag, *kernel.blocks, out);
    if (const std::optional<size_t> loop = walked_loop(kernel.tiling)) {
        out += " walk " + dag.stage(kernel.stage).loops[*loop].name + '=' +
               std::to_string(kernel.tiling[*loop].walk);
    }
    out += '\n';
    for (const BandPtr &child : kernel.blocks->body) write_band(dag, *child, 1, out);
    return out;
}

std::string to_text(const Dag &dag, const Nest &nest) {
    std::string inlined;
    for (size_t i = 0; i < nest.places.size(); ++i) {
        if (nest.places[i] == Place::inlined) inlined += ' ' + dag.funcs[i].name;
    }
    std::string out;
    if (!inlined.empty()) out = "inline:" + inlined + '\n';
    for (const KernelPtr &kernel : nest.kernels) out += to_text(dag, *kernel);
    return out;
}

// ---- reading

namespace {

struct Line {
    int number = 0;
    int depth = 0;  // kernel: 0
    std::vector<std::string> words = {};
    std::string loop = {};                 // behind "in", at the end
    std::string unroll = {};               // likewise behind "unroll"
    std::string steps = {};                // and behind "steps"
    std::string row = {};                  // and behind "row"
    std::string with = {};                 // of a kernel, behind "with"
    std::string walk = {};                 // and behind "walk"
    std::vector<bool Kernel::*> off = {};  // of a kernel: what it has not
};

Error at(const Line &line, const std::string &what) {
    return Error{"line " + std::to_string(line.number) + ": " + what};
}

// The last word, if the one before is `key`; both are gone then.
std::string take_last(std::vector<std::string> &words, std::string_view key) {
    if (words.size() <= 2 || words.end()[-2] != key) return "";
    std::string last = std::move(words.back());
    words.resize(words.size() - 2);
    return last;
}

// Whether the third word of a kernel's line is `key`, which is gone then.
bool take_third(Line &line, std::string_view key) {
    if (line.depth > 0 || line.words.size() <= 2 || line.words[2] != key) return false;
    line.words.erase(line.words.begin() + 2);
    return true;
}

std::vector<Line> split_lines(std::string_view text) {
    std::vector<Line> lines;
    std::istringstream in{std::string(text)};
    std::string raw;
    for (int number = 1; std::getline(in, raw); ++number) {
        const size_t indent = raw.find_first_not_of(' ');
        if (indent == std::string::npos) continue;
        Line line{.number = number, .depth = static_cast<int>(indent / 2)};
        std::istringstream words(raw);
        for (std::string word; words >> word;) line.words.push_back(word);
        line.loop = take_last(line.words, "in");
        line.unroll = take_last(line.words, "unroll");
        line.steps = take_last(line.words, "steps");
        line.row = take_last(line.words, "row");
        if (line.words.size() > 3 && take_third(line, "with")) {
            line.with = line.words[2];
            line.words.erase(line.words.begin() + 2);
        }
        line.walk = take_last(line.words, "walk");
        for (const auto &[is_on, off] : kKernelOptions) {
            if (take_third(line, off)) line.off.push_back(is_on);
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

class Parser {
public:
    Parser(const Dag &dag, std::string_view text)
        : dag_(dag), lines_(split_lines(text)), nest_(empty_nest(dag)) {
        for (size_t i = 0; i < dag.stages.size(); ++i) {
            stages_[stage_name(dag, StageId(i))] = StageId(i);
        }
        for (size_t i = 0; i < dag.funcs.size(); ++i) funcs_[dag.funcs[i].name] = FuncId(i);
    }

    Result<Nest> parse() {
        size_t next = 0;
        if (!lines_.empty() && lines_[0].words[0] == "inline:") {
            if (Status status = read_inlined(lines_[0]); !status) return status.error();
            next = 1;
        }
        while (next < lines_.size()) {
            size_t end = next + 1;
            while (end < lines_.size() && lines_[end].depth > 0) ++end;
            if (Status status = read_kernel(next, end); !status) return status.error();
            next = end;
        }
        return nest_;
    }

private:
    Status read_inlined(const Line &line) {
        for (size_t i = 1; i < line.words.size(); ++i) {
            const auto func = funcs_.find(line.words[i]);
            if (func == funcs_.end()) return at(line, "expected a Func, found " + line.words[i]);
            nest_.places[func->second.index()] = Place::inlined;
        }
        return Ok{};
    }

    Result<StageId> read_stage(const Line &line, size_t word) const {
        if (word >= line.words.size()) return at(line, "expected a stage, found the line's end");
        const auto stage = stages_.find(line.words[word]);
        if (stage == stages_.end()) return at(line, "expected a stage, found " + line.words[word]);
        return stage->second;
    }

    Result<std::vector<int64_t>> read_trips(const Line &line, StageId id, size_t word) const {
        return read_trips(line, id,
                          std::span(line.words).subspan(std::min(word, line.words.size())));
    }

    Result<std::vector<int64_t>> read_trips(const Line &line, StageId id,
                                            std::span<const std::string> words) const {
        const Stage &stage = dag_.stage(id);
        std::vector<int64_t> trips(stage.loops.size(), 1);
        for (const std::string &text : words) {
            const size_t equals = text.rfind('=');
            const std::string name = text.substr(0, equals);
            const auto loop = std::find_if(stage.loops.begin(), stage.loops.end(),
                                           [&](const Loop &l) { return l.name == name; });
            int64_t value = 0;
            const bool number =
                equals != std::string::npos &&
                std::from_chars(text.data() + equals + 1, text.data() + text.size(), value).ptr ==
                    text.data() + text.size();
            if (loop == stage.loops.end() || !number || value < 1) {
                return at(line, "expected LOOP=TRIPS, found " + text);
            }
            trips[loop - stage.loops.begin()] = value;
        }
        return trips;
    }

    Status read_kernel(size_t begin, size_t end) {
        const Line &head = lines_[begin];
        if (head.words[0] != "kernel") return at(head, "expected 'kernel', found " + head.words[0]);
        Result<StageId> stage = read_stage(head, 1);
        if (!stage) return stage.error();
        nest_.places[dag_.stage(*stage).func.index()] = Place::root;
        if (head.words.size() == 3 && head.words[2] == "host") {
            nest_.kernels.push_back(make_host_kernel(dag_, *stage));
            return Ok{};
        }
        Result<Tiling> tiling = read_tiling(head, *stage, begin, end);
        if (!tiling) return tiling.error();
        KernelPtr kernel = make_kernel(dag_, *stage, std::move(tiling).value());
        if (Status status = check_blocks(head, *kernel); !status) return status.error();
        // Edits insert at the front, so the text is replayed backwards, a Func at a time.
        for (size_t i = end; i-- > begin + 1;) {
            Result<KernelPtr> changed = read_band(kernel, begin, i, end);
            if (!changed) return changed.error();
            kernel = *changed;
        }
        kernel = finish(kernel);
        for (bool Kernel::*const is_on : head.off) kernel = switched(kernel, is_on, false);
        if (!head.with.empty()) {
            const auto with = stages_.find(head.with);
            if (with == stages_.end()) return at(head, "expected a stage, found " + head.with);
            kernel = computed_with(kernel, with->second);
        }
        nest_.kernels.push_back(kernel);
        return Ok{};
    }

    // Blocks follow from the tile and the estimates: if they are written down, they must agree.
    Status check_blocks(const Line &head, const Kernel &kernel) const {
        if (head.words.size() == 2) return Ok{};
        if (head.words[2] != "blocks") {
            return at(head, "expected 'blocks' or 'host', found " + head.words[2]);
        }
        Result<std::vector<int64_t>> trips = read_trips(head, kernel.stage, 3);
        if (!trips) return trips.error();
        if (*trips == kernel.blocks->trips) return Ok{};
        std::string expected;
        write_trips(dag_, *kernel.blocks, expected);
        return at(head, "expected blocks" + expected + ", which is what the tile leaves");
    }

    // A reduction loop is atomic where it has threads, or blocks, which must be written down then.
    Result<Tiling> read_tiling(const Line &head, StageId id, size_t begin, size_t end) const {
        const std::vector<Loop> &loops = dag_.stage(id).loops;
        Tiling tiling(loops.size());
        std::vector<bool> shared(loops.size());
        const auto find_shared = [&](const std::vector<int64_t> &trips) {
            for (size_t l = 0; l < loops.size(); ++l) {
                if (!loops[l].parallel && trips[l] > 1) shared[l] = true;
            }
        };
        if (head.words.size() > 3) {
            Result<std::vector<int64_t>> blocks = read_trips(head, id, 3);
            if (!blocks) return blocks.error();
            find_shared(*blocks);
        }
        if (!head.walk.empty()) {
            Result<std::vector<int64_t>> walk = read_trips(head, id, {&head.walk, 1});
            if (!walk) return walk.error();
            for (size_t l = 0; l < loops.size(); ++l) tiling[l].walk = (*walk)[l];
        }
        for (size_t i = begin + 1; i < end; ++i) {
            const Line &line = lines_[i];
            Result<StageId> stage = read_stage(line, 0);
            if (!stage) return stage.error();
            if (*stage != id || line.words.size() < 2) continue;
            Result<std::vector<int64_t>> trips = read_trips(line, id, 2);
            if (!trips) return trips.error();
            if (line.words[1] == "threads") find_shared(*trips);
            for (size_t l = 0; l < tiling.size(); ++l) {
                tiling[l].atomic = shared[l];
                if (!is_split(loops[l], tiling[l])) continue;
                if (line.words[1] == "threads") tiling[l].threads = (*trips)[l];
                if (line.words[1] == "serial") tiling[l].serial = (*trips)[l];
                if ((*trips)[l] == 1) continue;
                if (line.words[1] == "strided") tiling[l].rest = Rest::threads;
                if (line.words[1] == "spread") {
                    tiling[l].rest = Rest::spread;
                    tiling[l].serial = (*trips)[l];
                }
            }
        }
        return tiling;
    }

    // Line `i` of the kernel whose text is [begin, end).
    Result<KernelPtr> read_band(const KernelPtr &kernel, size_t begin, size_t i, size_t end) {
        const Line &line = lines_[i];
        Result<StageId> stage = read_stage(line, 0);
        if (!stage) return stage.error();
        constexpr std::string_view kLevels[] = {"threads", "flat", "serial", "strided", "spread"};
        if (line.words.size() < 2 || std::ranges::count(kLevels, line.words[1]) == 0) {
            return at(line,
                      "expected 'threads', 'flat', 'serial', 'strided' or 'spread' after the stage");
        }
        const Stage &data = dag_.stage(*stage);
        Result<std::vector<int64_t>> trips = read_trips(line, *stage, 2);
        if (!trips) return trips.error();
        if (line.words[1] == "strided" &&
            (line.depth < 2 || dag_.func(data.func).stages.size() > 1)) {
            return at(line, "expected strided points of a Func of one stage");
        }
        if (line.words[1] == "spread" && (line.depth < 2 || *stage != kernel->stage)) {
            return at(line, "expected spread points of the kernel's own stage");
        }
        if (!line.loop.empty() && (*stage == kernel->stage || line.depth > 1)) {
            return at(line, "expected a loop around the threads of a Func in the block only");
        }
        if (Status status = read_unroll(line, *stage); !status) return status.error();
        if (Status status = read_steps(line, *stage); !status) return status.error();
        if (Status status = read_row(line, *stage, *kernel); !status) return status.error();
        if (*stage == kernel->stage) return kernel;
        if (data.index > 0) {
            if (line.depth > 1) return kernel;
            Result<std::vector<int64_t>> serial = read_innermost(*stage, i, end);
            if (!serial) return serial.error();
            updates_.push_back({*stage, *trips, *serial});
            for (const Outside outside : {Outside::all, Outside::outermost}) {
                // What is in the loop is read next, and needs it.
                if (line.loop != own_loop_name(outside)) continue;
                return read_looped(kernel, {*stage, outside}, begin, i, end);
            }
            return kernel;
        }
        if (line.depth == 1) {
            if (is_computed_in(dag_, *kernel, data.func)) return kernel;
            Result<BlockLoop> loop = read_loop(line, *kernel);
            if (!loop) return loop.error();
            return read_block_level(kernel, *stage, *trips, i, end, *loop);
        }
        size_t above = i;
        while (above > begin && lines_[above].depth > 1) --above;
        Result<StageId> site = read_stage(lines_[above], 0);
        if (!site) return site.error();
        if (*site != *stage) {  // else: its own innermost band
            if (line.words[1] == "strided") return at(line, "expected 'serial', found strided");
            nest_.places[data.func.index()] = Place::threads;
            std::vector<int64_t> extents(trips->size(), 1);
            for (size_t l = 0; l < extents.size(); ++l) extents[data.loops[l].dim] = (*trips)[l];
            per_thread_.push_back({*site, data.func, std::move(extents)});
        }
        return kernel;
    }

    Status read_unroll(const Line &line, StageId stage) {
        if (line.unroll.empty()) return Ok{};
        const std::optional<Unroll> unroll = parse_unroll(line.unroll);
        if (!unroll || line.depth < 2) {
            return at(line,
                      "expected 'unroll' with none, tile or all after innermost loops, found " +
                          line.unroll);
        }
        unrolled_.push_back({stage, *unroll});
        return Ok{};
    }

    Status read_steps(const Line &line, StageId stage) {
        if (line.steps.empty()) return Ok{};
        int64_t steps = 0;
        std::from_chars(line.steps.data(), line.steps.data() + line.steps.size(), steps);
        if (steps < 1 || line.depth < 2) {
            return at(line,
                      "expected 'steps' with a number after innermost loops, found " + line.steps);
        }
        stepped_.push_back({stage, steps});
        return Ok{};
    }

    Status read_row(const Line &line, StageId stage, const Kernel &kernel) {
        if (line.row.empty()) return Ok{};
        int64_t row = 0;
        std::from_chars(line.row.data(), line.row.data() + line.row.size(), row);
        const bool is_in_block = line.depth == 1 && stage != kernel.stage;
        if (row < 1 || !is_in_block || dag_.stage(stage).index > 0) {
            return at(line,
                      "expected 'row' with a number after the threads of a Func's first "
                      "stage in the block, found " +
                          line.row);
        }
        rows_.push_back({stage, row});
        return Ok{};
    }

    // The Func of which the update in line `i` has that loop.
    Result<KernelPtr> read_looped(const KernelPtr &kernel, BlockLoop loop, size_t begin, size_t i,
                                  size_t end) {
        if (!may_have_loop(dag_, {loop.update})) {
            return at(lines_[i], "expected an update that is its Func's only reduction");
        }
        if (!may_have_loop(dag_, loop)) {
            return at(lines_[i], "expected an update that reduces along several loops");
        }
        const StageId pure = dag_.func_of(loop.update).stages[0];
        for (size_t j = begin + 1; j < i; ++j) {
            if (lines_[j].depth != 1 || lines_[j].words[0] != stage_name(dag_, pure)) continue;
            Result<std::vector<int64_t>> threads = read_trips(lines_[j], pure, 2);
            if (!threads) return threads.error();
            return read_block_level(kernel, pure, *threads, j, end, loop);
        }
        return at(lines_[i], "expected the pure definition before the update");
    }

    // Of a Func that is computed in another's loop.
    Result<BlockLoop> read_loop(const Line &line, const Kernel &kernel) const {
        if (line.loop.empty()) return BlockLoop();
        const auto stage = stages_.find(line.loop);
        if (stage != stages_.end()) {
            for (const BlockLoop &loop : loops_of(kernel)) {
                if (loop.update == stage->second) return loop;
            }
        }
        return at(line, "expected an update below that has a loop, found " + line.loop);
    }

    // `loop`: around the Func, or that of its own update.
    Result<KernelPtr> read_block_level(const KernelPtr &kernel, StageId stage,
                                       const std::vector<int64_t> &threads, size_t i, size_t end,
                                       BlockLoop loop) {
        Result<std::vector<int64_t>> serial = read_innermost(stage, i, end);
        if (!serial) return serial.error();
        const Stage &data = dag_.stage(stage);
        const size_t inner = innermost_line(i, end);
        if (inner < end && lines_[inner].words[1] == "strided") {
            nest_.places[data.func.index()] = place_in_block(dag_, data.func, loop);
            KernelDraft draft(*kernel);
            const bool flat = lines_[i].words[1] == "flat";
            const std::vector<int> axes = flat ? flat_axes(dag_, stage, threads)
                                               : choose_axes(dag_, stage, threads);
            draft.cooperate_in_block(dag_, data.func, threads, *serial, axes, loop, flat);
            return std::move(draft).finish();
        }
        if (lines_[i].words[1] == "flat") return at(lines_[i], "expected strided points below");
        std::vector<int64_t> extents(threads.size(), 1), per_thread(threads.size(), 1);
        for (size_t l = 0; l < threads.size(); ++l) {  // the text has loops, the edit dimensions
            extents[data.loops[l].dim] = threads[l] * (*serial)[l];
            per_thread[data.loops[l].dim] = (*serial)[l];
        }
        nest_.places[data.func.index()] = place_in_block(dag_, data.func, loop);
        return compute_in_block(dag_, kernel, data.func, extents, per_thread, loop);
    }

    // The line of the innermost loops of the stage whose threads are in line `i`, or `end`.
    size_t innermost_line(size_t i, size_t end) const {
        for (size_t j = i + 1; j < end && lines_[j].depth > 1; ++j) {
            if (lines_[j].words[0] == lines_[i].words[0]) return j;
        }
        return end;
    }

    // Their trips.
    Result<std::vector<int64_t>> read_innermost(StageId stage, size_t i, size_t end) const {
        const size_t line = innermost_line(i, end);
        if (line < end) return read_trips(lines_[line], stage, 2);
        return std::vector<int64_t>(dag_.stage(stage).loops.size(), 1);
    }

    // Thread bands must exist before something is put into them, hence last.
    KernelPtr finish(KernelPtr kernel) {
        for (const Update &u : updates_) {
            kernel = resplit_in_block(dag_, kernel, u.stage, u.threads, u.serial);
        }
        updates_.clear();
        // Whether a stage reads an array of its thread depends on what is inlined between them.
        for (FuncId func : reached_inlined(*kernel)) kernel = inline_func(kernel, func);
        for (const PerThread &p : per_thread_) {
            kernel = compute_in_thread(dag_, kernel, p.site, p.func, p.extents);
        }
        per_thread_.clear();
        for (const Unrolled &u : unrolled_) kernel = unroll_stage(dag_, kernel, u.stage, u.unroll);
        unrolled_.clear();
        for (const auto &[stage, steps] : stepped_) kernel = step_stage(dag_, kernel, stage, steps);
        stepped_.clear();
        for (const auto &[stage, row] : rows_) kernel = store_rows(kernel, stage, row);
        rows_.clear();
        return kernel;
    }

    std::vector<FuncId> reached_inlined(const Kernel &kernel) const {
        std::vector<StageId> work{kernel.stage};
        for (const Band *threads : thread_bands(kernel)) {
            for (const Band *band : innermost_bands(*threads)) work.push_back(band->stage);
        }
        for (const PerThread &p : per_thread_) {
            for (const StageId stage : dag_.func(p.func).stages) work.push_back(stage);
        }
        std::vector<FuncId> found;
        while (!work.empty()) {
            const StageId id = work.back();
            work.pop_back();
            for (EdgeId edge : dag_.stage(id).edges) {
                const FuncId func = dag_.edge(edge).producer;
                if (nest_.place(func) != Place::inlined) continue;
                if (std::find(found.begin(), found.end(), func) != found.end()) continue;
                found.push_back(func);
                work.push_back(dag_.func(func).stages[0]);
            }
        }
        return found;
    }

    struct PerThread {
        StageId site;
        FuncId func;
        std::vector<int64_t> extents;
    };

    struct Update {
        StageId stage;
        std::vector<int64_t> threads, serial;
    };

    struct Unrolled {
        StageId stage;
        Unroll unroll;
    };

    const Dag &dag_;
    std::vector<Line> lines_;
    Nest nest_;
    std::map<std::string, StageId> stages_;
    std::map<std::string, FuncId> funcs_;
    std::vector<PerThread> per_thread_;
    std::vector<Update> updates_;
    std::vector<Unrolled> unrolled_;
    std::vector<std::pair<StageId, int64_t>> stepped_, rows_;
};

}  // namespace

Result<Nest> parse_nest(const Dag &dag, std::string_view text) {
    return Parser(dag, text).parse();
}

}  // namespace autoschedule_gpu
