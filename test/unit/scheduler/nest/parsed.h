// Nests written as text, for tests.
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
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

// The kernel of that stage, which must have one.
inline const Kernel &kernel_of(const Dag &dag, const Nest &nest, std::string_view stage) {
    for (const KernelPtr &kernel : nest.kernels) {
        if (stage_name(dag, kernel->stage) == stage) return *kernel;
    }
    throw std::logic_error("no kernel " + std::string(stage));
}

}  // namespace autoschedule_gpu::example
