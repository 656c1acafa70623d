// Where a Func is computed: the one list of places that nests, decisions, the tuner's coordinates
// and reports share.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace autoschedule_gpu {

enum class Place : uint8_t {
    undecided,
    inlined,     // evaluated where it is read
    threads,     // in the threads that read it, in registers
    loop,        // in the block, in the loop of the reduction that reads it
    block,       // in the block of the only kernel that reads it, in shared memory
    block_loop,  // the same, its own reduction outside its threads, so that what that one reads may
                 // be computed in the loop
    root,        // in a kernel of its own; input images count as root
    // As block_loop, but of several loops of its reduction only the outermost is outside. Behind
    // the others, whose numbers are part of hashes.
    block_outer_loop
};
// Those that can be decided, from the inside outwards.
inline constexpr Place kPlaces[] = {Place::inlined, Place::threads,    Place::loop,
                                    Place::block,   Place::block_loop, Place::block_outer_loop,
                                    Place::root};

// "inline", "threads", ...; empty for `undecided`.
std::string_view to_string(Place place);
// The place of that name; nothing for any other.
std::optional<Place> parse_place(std::string_view name);

// True if the Func is computed once per block of the kernel that reads it.
constexpr bool is_in_block(Place place) {
    return place == Place::loop || place == Place::block || place == Place::block_loop ||
           place == Place::block_outer_loop;
}

// True if the Func is computed inside the kernel of another.
constexpr bool is_in_kernel(Place place) {
    return place == Place::threads || is_in_block(place);
}

}  // namespace autoschedule_gpu
