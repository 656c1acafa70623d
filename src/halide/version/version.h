// What differs between the versions of Halide that this source builds against, under one name each.
#pragma once

#include <Halide.h>

#include <string>

namespace autoschedule_gpu::halide_version {

namespace HI = Halide::Internal;

// "21.0.0", the version that this was compiled for.
std::string built_for();

// That of the library in this process, as it says itself; empty if it does not say.
std::string in_process();

// What is wrong if the two are not the same, a sentence; empty if they are.
std::string mismatch();

// Whether the loads of an image parameter are traced.
bool traces_loads(const Halide::Parameter &image);

// Whether a call only says that its arithmetic must be as it is written, and the arithmetic.
// From version 20 on every operation is a call of its own; before that a call is around them all.
bool is_strict_float(const HI::Call &call);
Halide::Expr without_strict_float(const HI::Call &call);

// Whether Stage::rfactor puts splits of reduction loops into the definitions that it makes, so that
// each has but the loops that are left to it. Up to version 19 the splits stayed in the schedule.
inline constexpr bool kRfactorLeavesNoSplits = HALIDE_VERSION_MAJOR >= 20;

// An error that Halide gives its users: it throws, or ends the process where there are no exceptions.
[[noreturn]] void report_error(const std::string &message);
void report_warning(const std::string &message);

}  // namespace autoschedule_gpu::halide_version
