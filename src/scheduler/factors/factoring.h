// How a reduction is taken apart, so that many lanes compute it: partial results first, which what
// is left of it puts together.
//
//     sum() += f(r)          chunks of 256 x 32 iterations
//       ─► lanes(u, b)  += f((b * 32 + s) * 256 + u)     a lane's, of a chunk
//          parts(v, b)  += lanes(16 t + v, b)            so that no thread adds more than a few
//          chunks(b)    += parts(v, b)
//          sum()        += chunks(b)                     likewise in several levels
//
// Without chunks, for rows, a lane has a share of all: lanes(u, y) += f(32 s + u, y). Where the
// order matters, as of the places of maxima, that share is of neighbours, far from those of the
// next lane; in panels, which are chunks of a few steps, a lane has a few of each, close to those
// of the next: lanes(u, b, y) += f((32 b + u) * 4 + s, y). With a single lane a thread has a chunk:
// chunks(x, y, b) += f(32 b + s, x, y), for products of long rows; or all of it, where the Func
// must be in memory: lane(x, y) += f(r, x, y) in registers, and sum(x, y) += lane(x, y) once. And
// of a reduction over short loops each iteration of one has a lane: lanes(u, x) += f(x, u, r.y).
// For what is stored where data says, every part has all bins: histograms of small cells have lanes
// of that kind, those of images and sums of clusters chunks of threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/dag/dag.h"
#include "core/gpu/gpu_model.h"
#include "core/support/strong_id.h"

namespace autoschedule_gpu {

struct Factoring {
    int64_t lanes = 0;  // 0: the reduction stays whole
    int64_t steps = 0;  // iterations of a lane in a chunk; 0: no chunks

    bool is_none() const { return lanes == 0; }
    friend bool operator==(const Factoring &, const Factoring &) = default;
};

std::string to_string(const Factoring &factoring);  // "none", "1", "32", "256x32"
std::optional<Factoring> parse_factoring(std::string_view text);

// A reduction that may pay to be taken apart, and how; the first choice is none.
struct Factorable {
    StageId stage;
    std::vector<Factoring> choices;
};

// Those whose other loops leave lanes of the device idle, or make neighbouring threads read far
// apart what neighbouring iterations read side by side; in the order of the stages.
std::vector<Factorable> factorable_reductions(const Dag &dag, const GpuModel &gpu);

}  // namespace autoschedule_gpu
