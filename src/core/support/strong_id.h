// A typed index into one of the tables of the pipeline. Ids of different tables do not mix:
// passing a FuncId where a StageId is wanted does not compile.
//
// Value type, four bytes, ordered by index, valid for the life of the table it points into.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace autoschedule_gpu {

template <typename Tag>
class StrongId {
public:
    constexpr StrongId() = default;
    constexpr explicit StrongId(size_t index) : index_(static_cast<int32_t>(index)) {}

    constexpr size_t index() const { return static_cast<size_t>(index_); }
    constexpr bool valid() const { return index_ >= 0; }

    friend constexpr auto operator<=>(StrongId, StrongId) = default;

private:
    int32_t index_ = -1;
};

using FuncId = StrongId<struct FuncTag>;
using StageId = StrongId<struct StageTag>;
using EdgeId = StrongId<struct EdgeTag>;

}  // namespace autoschedule_gpu

template <typename Tag>
struct std::hash<autoschedule_gpu::StrongId<Tag>> {
    size_t operator()(autoschedule_gpu::StrongId<Tag> id) const noexcept { return id.index(); }
};
