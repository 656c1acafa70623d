// What accesses of warps move (core/gpu/memory_access.h), remembered: candidates of a search make
// the same ones over and over. It takes a quarter of a megabyte, and forgets what another access
// needs the room of. Changes no result. Not thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/gpu/gpu_model.h"
#include "core/gpu/memory_access.h"

namespace autoschedule_gpu {

class AccessMemo {
public:
    // The model must outlive this object.
    explicit AccessMemo(const GpuModel &model) : model_(model) {}

    // global_access, and shared_access, of that model.
    const GlobalAccess &global(const WarpAccess &access);
    const SharedAccess &shared(const WarpAccess &access);

private:
    // All that tells accesses apart; no access has no element_bytes, which come first.
    using Key = std::array<uint64_t, 12>;
    template <typename Result>
    struct Entry {
        Key key = {};
        Result result = {};
    };
    static constexpr size_t kEntries = 1024;

    static Key key_of(const WarpAccess &access);
    template <typename Result, typename Compute>
    const Result &known(std::vector<Entry<Result>> &entries, const WarpAccess &access,
                        Compute compute);

    const GpuModel &model_;
    std::vector<Entry<GlobalAccess>> global_{kEntries};
    std::vector<Entry<SharedAccess>> shared_{kEntries};
};

}  // namespace autoschedule_gpu
