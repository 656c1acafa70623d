#include "scheduler/nest/place.h"

namespace autoschedule_gpu {

std::string_view to_string(Place place) {
    switch (place) {
        case Place::undecided:
            return "";
        case Place::inlined:
            return "inline";
        case Place::threads:
            return "threads";
        case Place::loop:
            return "loop";
        case Place::block:
            return "block";
        case Place::block_loop:
            return "block_loop";
        case Place::block_outer_loop:
            return "block_outer_loop";
        case Place::root:
            return "root";
    }
    return "";
}

std::optional<Place> parse_place(std::string_view name) {
    for (Place place : kPlaces) {
        if (name == to_string(place)) return place;
    }
    return std::nullopt;
}

}  // namespace autoschedule_gpu
