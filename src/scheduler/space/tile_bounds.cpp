#include "scheduler/space/tile_bounds.h"

#include <algorithm>

namespace autoschedule_gpu {

TileBounds tile_bounds(int64_t extent, size_t tiled) {
    TileBounds bounds;
    bounds.most = extent < 1024 ? extent / 2 : extent / (tiled == 1 ? 128 : 32);
    bounds.most = std::max<int64_t>(1, bounds.most);
    bounds.least = std::min<int64_t>(bounds.most, extent >= kLongLoop ? 8 : 2);
    return bounds;
}

}  // namespace autoschedule_gpu
