// Why a candidate has no time. A failure is a value: a kind out of one list, a reason in a
// sentence, and a shell command that reproduces it.
//
//     setup         nothing is known about the candidate: the measuring itself was impossible
//     search        the autoscheduler refused the pipeline, or could not be loaded
//     halide        Halide refused the schedule: while compiling, or by a check at run time
//     compile       code generation, the linker, or the device's own compiler failed
//     ptxas         NVIDIA's assembler refused the kernels
//     resource      the kernels, or a program that makes them, ask for more than there is
//     launch        the device did not take or did not finish a kernel
//     wrong_output  it ran, and computed something else than the reference
//     timeout       a step did not end in its time
//     crash         a step was ended by a signal
//     lost          a step was killed from outside, or the worker that measured it ended
//     noise         it ran, but its times cannot be had again
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/support/error.h"

namespace autoschedule_gpu {

enum class FailureKind : uint8_t {
    setup,
    search,
    halide,
    compile,
    ptxas,
    resource,
    launch,
    wrong_output,
    timeout,
    crash,
    lost,
    noise
};

// The names of all kinds in tables and files, in the order of their values.
inline constexpr std::array<std::string_view, 12> kFailureKindNames = {
    "setup",  "search",       "Halide",  "compile", "ptxas", "resource",
    "launch", "wrong output", "timeout", "crash",   "lost",  "noise"};

constexpr std::string_view to_string(FailureKind kind) {
    return kFailureKindNames[static_cast<size_t>(kind)];
}

// Returns the kind of that name; nullopt if there is none.
std::optional<FailureKind> find_failure_kind(std::string_view name);

// Returns true if the failure says nothing about the candidate itself, because the measuring was
// impossible or was cut off. Any other outcome replaces such a one.
constexpr bool is_provisional(FailureKind kind) {
    return kind == FailureKind::setup || kind == FailureKind::lost;
}

struct Failure {
    FailureKind kind = FailureKind::setup;
    std::string reason = {};
    std::string command = {};  // for a shell, in this process's folder and environment
    std::string output = {};   // the end of what the failing program printed; may be empty

    friend bool operator==(const Failure &, const Failure &) = default;
};

// Returns the failure for something that was missing or wrong before anything was tried.
inline Failure setup_failure(std::string reason) {
    return {.kind = FailureKind::setup, .reason = std::move(reason)};
}

inline const std::string &message_of(const Failure &failure) {
    return failure.reason;
}

template <typename T>
using Outcome = ValueOr<T, Failure>;

}  // namespace autoschedule_gpu
