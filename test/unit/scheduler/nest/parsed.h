// Nests written as text, for tests.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "scheduler/nest/check.h"
#include "scheduler/nest/text.h"

namespace autoschedule_gpu::example {

inline Nest parsed(const Dag &dag, std::string_view text) {
    Result<Nest> nest = parse_nest(dag, text);
    if (!nest) {
        ADD_FAILURE() << nest.error().message;
        return empty_nest(dag);
    }
    return std::move(nest).value();
}

// As above, and complete and sound.
inline Nest sound(const Dag &dag, std::string_view text) {
    Nest nest = parsed(dag, text);
    EXPECT_EQ(check(dag, nest, Completeness::complete), std::vector<std::string>{});
    return nest;
}

}  // namespace autoschedule_gpu::example
