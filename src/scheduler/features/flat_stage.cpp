#include "scheduler/features/flat_stage.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "core/support/hash.h"
#include "scheduler/features/algorithm_features.h"
#include "scheduler/nest/regions.h"

namespace autoschedule_gpu {

namespace {

// Paths through inlined Funcs multiply; beyond this many different accesses to one Func the rest
// counts towards the last of them.
constexpr size_t kMaxAccessesPerFunc = 8;

AccessMatrix identity(size_t loops) {
    AccessMatrix matrix(loops, loops);
    for (size_t i = 0; i < loops; ++i) matrix.at(i, i) = {1, true};
    return matrix;
}

uint64_t row_loops(const Func &func, const AccessMatrix &access) {
    // What lies closer is no row but, say, a colour of an interleaved image.
    constexpr int64_t kLeastRow = 16;
    uint64_t loops = 0;
    for (size_t d = 1; d < access.dims(); ++d) {
        if (func.dims[d].stride < kLeastRow) continue;
        for (size_t i = 0; i < access.loops() && i < 64; ++i) {
            if (access.moves(d, i)) loops |= uint64_t{1} << i;
        }
    }
    return loops;
}

// A way in which a Func's coordinates follow the loops of the flat stage; `clamped`: as Load says.
struct Path {
    AccessMatrix access;
    bool clamped = false;
    friend bool operator==(const Path &, const Path &) = default;
};

void add_path(std::vector<Path> &paths, Path path) {
    if (std::find(paths.begin(), paths.end(), path) != paths.end()) return;
    if (paths.size() < kMaxAccessesPerFunc) paths.push_back(std::move(path));
}

bool is_gather(const AccessMatrix &access) {
    return !access.is_known();
}

bool moves(const AccessMatrix &access) {
    for (size_t i = 0; i < access.loops(); ++i) {
        if (access.moves(i)) return true;
    }
    return false;
}

// Adds what a choice by a coordinate is by the loops that the coordinate moves with.
void add_choice(const Stage &stage, size_t choice, const AccessMatrix &access,
                FlatChoices &choices) {
    const auto &[loop, period] = stage.choices[choice];
    for (size_t i = 0; i < access.loops(); ++i) {
        const Coefficient &c = access.at(loop, i);
        if (c.known && c.value == 0) continue;
        const auto step = static_cast<int64_t>(c.value);
        if (!c.known || static_cast<double>(step) != c.value) {
            choices.knowable &= ~(size_t{1} << choice);
        } else if (period == 0) {
            choices.loops.push_back({choice, {i, 0}});
        } else if (step % period != 0) {
            choices.loops.push_back({choice, {i, period / std::gcd(period, step)}});
        }
    }
}

// Those of a stage whose loops move with those of the flat one.
FlatChoices choices_of(const Stage &stage, const std::vector<Path> &paths) {
    FlatChoices choices{.loops = {}, .knowable = (size_t{1} << stage.choices.size()) - 1};
    for (size_t i = 0; i < stage.choices.size(); ++i) {
        for (const Path &path : paths) add_choice(stage, i, path.access, choices);
    }
    return choices;
}

std::vector<double> scaled(std::vector<double> values, double factor) {
    for (double &value : values) value *= factor;
    return values;
}

// Lists whose loads are left, and fills in the positions.
void number(const Dag &dag, FlatStage &flat) {
    const FuncId own = dag.stage(flat.stage).func;
    const auto position = [](const std::vector<FuncId> &funcs, FuncId func) {
        return static_cast<size_t>(std::ranges::find(funcs, func) - funcs.begin());
    };
    for (FlatCall &call : flat.calls) call.position = position(flat.inlined, call.callee);
    for (FlatLoad &load : flat.loads) {
        const bool by_own = load.via == flat.stage;
        load.caller = by_own ? FlatStage::kOwn : position(flat.inlined, dag.stage(load.via).func);
        load.source = FlatStage::kOwn;
        if (load.producer == own) continue;
        load.source = position(flat.producers, load.producer);
        if (load.source == flat.producers.size()) flat.producers.push_back(load.producer);
    }
}

// The ranges of a stage's loops at one point of the Func, with `x` along its first dimension.
std::vector<Interval> at_point(const Stage &stage, int64_t x) {
    std::vector<Interval> ranges;
    for (const Loop &loop : stage.loops) {
        const int64_t at = loop.dim == 0 ? x : loop.dim < 0 ? loop.range.min : 0;
        ranges.push_back(Interval::from_extent(at, 1));
    }
    return ranges;
}

// Finds which producers FlatStage::follows.
void find_followed(const Dag &dag, FlatStage &flat) {
    constexpr int64_t kFarAway = -(int64_t{1} << 20);
    flat.follows.assign(flat.producers.size(), false);
    const auto is_aligned = [&](FuncId func) { return dag.func(func).aligned_rows; };
    if (std::ranges::none_of(flat.producers, is_aligned)) return;
    const Stage &stage = dag.stage(flat.stage);
    RegionSet near(dag), far(dag);
    propagate(dag, flat.stage, at_point(stage, 0), flat.inlined, near);
    propagate(dag, flat.stage, at_point(stage, kFarAway), flat.inlined, far);
    for (size_t i = 0; i < flat.producers.size(); ++i) {
        const FuncId func = flat.producers[i];
        if (!dag.func(func).is_input() || !is_aligned(func) || !near.touched(func)) continue;
        const Interval here = near.box(func)[0], there = far.box(func)[0];
        flat.follows[i] = here.extent() == 1 && here.min % kVectorElements == 0 &&
                          there.extent() == 1 && there.min == here.min + kFarAway;
    }
}

void find_divided(const Dag &dag, const std::vector<std::vector<Path>> &paths_of_inlined,
                  FlatStage &flat) {
    DividedCoordinates finder(dag, flat.stage, flat.inlined);
    for (size_t i = 0; i < flat.inlined.size(); ++i) {
        std::vector<const AccessMatrix *> accesses;
        for (const Path &path : paths_of_inlined[i]) accesses.push_back(&path.access);
        flat.inlined_divided.push_back(finder.of(flat.inlined[i], accesses));
    }
    for (size_t i = 0; i < flat.producers.size(); ++i) {
        std::vector<const AccessMatrix *> accesses;
        for (const FlatLoad &load : flat.loads) {
            if (load.source == i) accesses.push_back(&load.access);
        }
        flat.producers_divided.push_back(finder.of(flat.producers[i], accesses));
    }
}

// Returns the loops, as bits, that go along a dimension in one of both, where none does in both.
uint64_t crossing_loops(const AccessMatrix &a, const AccessMatrix &b) {
    uint64_t crossing = 0;
    for (size_t d = 0; d < a.dims(); ++d) {
        uint64_t in_a = 0, in_b = 0;
        for (size_t i = 0; i < a.loops(); ++i) {
            in_a |= uint64_t{a.moves(d, i)} << i;
            in_b |= uint64_t{b.moves(d, i)} << i;
        }
        if (in_a != 0 && in_b != 0 && (in_a & in_b) == 0) crossing |= in_a | in_b;
    }
    return crossing;
}

// Finds FlatStage::crossed.
void find_crossed(FlatStage &flat) {
    flat.crossed.assign(flat.producers.size(), 0);
    std::vector<const FlatLoad *> first(flat.producers.size());
    for (const FlatLoad &load : flat.loads) {
        if (load.source == FlatStage::kOwn || load.is_gather) continue;
        const FlatLoad *&other = first[load.source];
        if (other == nullptr) other = &load;
        flat.crossed[load.source] |= crossing_loops(other->access, load.access);
    }
}

// Of each inlined Func, at a point of the stage. Callees come after their callers, and their calls
// after those of the callers.
void count_calls(const Dag &dag, FlatStage &flat) {
    flat.calls_at_a_point.assign(flat.inlined.size(), 0.0);
    size_t call = 0;
    const auto calls_of = [&](StageId via, double times) {
        for (; call < flat.calls.size() && flat.calls[call].via == via; ++call) {
            flat.calls_at_a_point[flat.calls[call].position] += times * flat.calls[call].sites;
        }
    };
    calls_of(flat.stage, 1);
    for (size_t i = 0; i < flat.inlined.size(); ++i) {
        calls_of(dag.func(flat.inlined[i]).stages[0], flat.calls_at_a_point[i]);
    }
}

// Finds which inlined Funcs are uniform: those that load nothing, nor does what they call, and that
// are called at the same point always. Callees come after their callers.
void find_uniform(const Dag &dag, const std::vector<bool> &moved, FlatStage &flat) {
    std::vector<bool> loads_nothing(flat.inlined.size());
    flat.uniform.assign(flat.inlined.size(), false);
    for (size_t i = flat.inlined.size(); i-- > 0;) {
        const std::vector<Load> &loads = dag.stage(dag.func(flat.inlined[i]).stages[0]).loads;
        loads_nothing[i] = std::ranges::all_of(loads, [&](const Load &load) {
            const auto callee = std::ranges::find(flat.inlined, load.producer);
            return callee != flat.inlined.end() &&
                   loads_nothing[static_cast<size_t>(callee - flat.inlined.begin())];
        });
        flat.uniform[i] = loads_nothing[i] && !moved[i];
    }
}

// Of an index that moves with a coordinate, and that with a loop.
Coefficient composed(const Coefficient &index, const Coefficient &coordinate) {
    const bool stands =
        (index.known && index.value == 0) || (coordinate.known && coordinate.value == 0);
    if (stands) return {};
    if (index.known && coordinate.known) return {index.value * coordinate.value};
    Coefficient result{0, false};
    const bool depends_on_data = !index.known && index.period == 0;
    if (depends_on_data) return result;
    const auto step = static_cast<int64_t>(coordinate.value);
    if (!coordinate.known) {
        result.period = coordinate.period;
    } else if (static_cast<double>(step) == coordinate.value) {
        result.period = index.period / std::gcd(index.period, step);
    }
    return result;
}

}  // namespace

AccessMatrix compose(const AccessMatrix &access, const AccessMatrix &inner) {
    AccessMatrix result(access.dims(), inner.loops());
    for (size_t d = 0; d < access.dims(); ++d) {
        for (size_t j = 0; j < inner.loops(); ++j) {
            Coefficient sum;
            for (size_t k = 0; k < access.loops(); ++k) {
                const Coefficient part = composed(access.at(d, k), inner.at(k, j));
                sum.period = common_period(sum, part);
                sum.known = sum.known && part.known;
                sum.value += part.value;
            }
            if (!sum.known) sum.value = 0;
            result.at(d, j) = sum;
        }
    }
    return result;
}

FlatStage flatten(const Dag &dag, StageId id, const std::vector<FuncId> &kernel_inlined) {
    FlatStage flat;
    flat.stage = id;
    const size_t loops = dag.stage(id).loops.size();
    std::map<FuncId, std::vector<Path>, std::greater<>> paths;  // callers first

    const auto visit = [&](StageId via, const std::vector<Path> &inner) {
        for (const Load &load : dag.stage(via).loads) {
            const bool own = load.producer == dag.stage(via).func;
            const bool inlined = !own && std::binary_search(kernel_inlined.begin(),
                                                            kernel_inlined.end(), load.producer);
            if (inlined) {
                const double sites = load.evaluations();
                flat.calls.push_back(
                    {via, load.producer, sites, scaled(load.untaken, sites / load.count)});
            }
            for (const Path &path : inner) {
                AccessMatrix access = compose(load.access, path.access);
                const bool clamped = load.clamped || path.clamped;
                if (inlined) {
                    add_path(paths[load.producer], {std::move(access), clamped});
                } else {
                    const bool gather = is_gather(access);
                    const double share = 1.0 / static_cast<double>(inner.size());
                    const uint64_t rows = clamped ? 0 : row_loops(dag.func(load.producer), access);
                    flat.loads.push_back({via, load.producer, load.count * share,
                                          scaled(load.untaken, share), load.bytes_per_site,
                                          std::move(access), gather, rows, load.in_place * share,
                                          clamped});
                }
            }
        }
    };

    const std::vector<Path> own = {{identity(loops)}};
    flat.choices = choices_of(dag.stage(id), own);
    visit(id, own);
    std::vector<bool> moved;
    std::vector<std::vector<Path>> paths_of_inlined;
    // The map is ordered consumers first, and visiting only adds Funcs further down.
    for (auto entry = paths.begin(); entry != paths.end(); ++entry) {
        flat.inlined.push_back(entry->first);
        flat.gathered.push_back(std::ranges::any_of(entry->second, is_gather, &Path::access));
        moved.push_back(std::ranges::any_of(entry->second, moves, &Path::access));
        paths_of_inlined.push_back(entry->second);
        const StageId inlined = dag.func(entry->first).stages[0];
        flat.inlined_choices.push_back(choices_of(dag.stage(inlined), entry->second));
        visit(inlined, entry->second);
    }
    number(dag, flat);
    count_calls(dag, flat);
    find_uniform(dag, moved, flat);
    find_divided(dag, paths_of_inlined, flat);
    find_crossed(flat);
    find_followed(dag, flat);
    flat.branching = flat_branching(dag, flat);
    flat.algorithm = algorithm_features(dag, flat);
    return flat;
}

FlatStages::Inlining::Inlining(const std::vector<FuncId> &inlined) : funcs(inlined) {
    Hasher hasher;
    for (FuncId func : inlined) hasher.add(func.index());
    hash = hasher.value();
}

const FlatStage &FlatStages::of(StageId stage, const Inlining &inlining) {
    const uint64_t key = Hasher().add(inlining.hash).add(stage.index()).value();
    auto [entry, fresh] = stages_.try_emplace(key);
    if (fresh) entry->second = flatten(dag_, stage, inlining.funcs);
    return entry->second;
}

}  // namespace autoschedule_gpu
