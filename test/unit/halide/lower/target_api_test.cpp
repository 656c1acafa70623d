// The table of abilities (core/gpu/api_capabilities.h) against the code generators themselves: what
// it grants must compile, and what it denies must not.
#include "halide/read/target_api.h"

#include <gtest/gtest.h>

#include <functional>

namespace autoschedule_gpu {
namespace {

using Halide::Expr;
using Halide::Float;
using Halide::Int;
using Halide::Target;
using Halide::Type;
using Halide::UInt;

const Halide::Var x("x"), xi("xi");

Target target_of(GpuApi api) {
    switch (api) {
        case GpuApi::cuda:
            return Target("x86-64-linux-cuda-cuda_capability_80");
        case GpuApi::opencl:
            return Target("x86-64-linux-opencl");
        case GpuApi::metal:
            return Target("arm-64-osx-metal");
        case GpuApi::vulkan:
            return Target("x86-64-linux-vulkan");
        case GpuApi::d3d12compute:
            return Target("x86-64-windows-d3d12compute");
        case GpuApi::webgpu:
            return Target("x86-64-linux-webgpu");
    }
    return Target();
}

bool compiles(Halide::Func f, const Target &target) {
    try {
        Halide::Pipeline pipeline(f);
        pipeline.compile_to_module(pipeline.infer_arguments(), "kernel", target);
        return true;
    } catch (const Halide::Error &) {
        return false;
    }
}

// A kernel that computes `value` of each element of an image.
bool maps(Type type, const std::function<Expr(Expr)> &value, const Target &target) {
    Halide::ImageParam in(type, 1, "in");
    Halide::Func f("f");
    f(x) = value(in(x));
    f.gpu_tile(x, xi, 64);
    return compiles(f, target);
}

// A kernel whose threads add to elements of one array.
bool adds_atomically(Type type, const Target &target) {
    Halide::ImageParam in(type, 1, "in"), at(Int(32), 1, "at");
    Halide::Func f("f");
    Halide::RDom r(0, 1024);
    Halide::RVar outer, inner;
    f(x) = Halide::cast(type, 0);
    f(Halide::clamp(at(r), 0, 63)) += in(r);
    f.gpu_tile(x, xi, 16);
    f.update().split(r.x, outer, inner, 64).atomic().gpu_blocks(outer).gpu_threads(inner);
    return compiles(f, target);
}

struct Case {
    std::string_view name;
    Ability ApiCapabilities::*ability;
    std::function<bool(const Target &)> compiles;
};

std::vector<Case> cases() {
    using A = ApiCapabilities;
    const auto mapped = [](Type type, const std::function<Expr(Expr)> &value) {
        return [=](const Target &target) { return maps(type, value, target); };
    };
    const auto added = [](Type type) {
        return [=](const Target &target) { return adds_atomically(type, target); };
    };
    const auto add_one = [](Expr e) { return e + Halide::cast(e.type(), 1); };
    return {
        {"8-bit integers", &A::integers_8, mapped(UInt(8), add_one)},
        {"16-bit integers", &A::integers_16, mapped(Int(16), add_one)},
        {"64-bit integers", &A::integers_64, mapped(Int(64), add_one)},
        {"half", &A::half, mapped(Float(16), add_one)},
        {"double", &A::doubles, mapped(Float(64), add_one)},
        {"sqrt of double", &A::double_math, mapped(Float(64), [](Expr e) { return sqrt(e); })},
        {"pow of half", &A::half_power, mapped(Float(16), [](Expr e) { return pow(e, e); })},
        {"popcount", &A::bit_counts, mapped(Int(32), [](Expr e) { return popcount(e); })},
        {"atomic int32", &A::atomic_integers_32, added(Int(32))},
        {"atomic uint64", &A::atomic_integers_64, added(UInt(64))},
        {"atomic float", &A::atomic_floats, added(Float(32))},
        {"atomic double", &A::atomic_doubles, added(Float(64))},
    };
}

// Compiled, but denied: what comes out is wrong, or slow, or was never run (see the table).
bool denied_all_the_same(GpuApi api, std::string_view name) {
    if (name == "popcount") return api != GpuApi::cuda && api != GpuApi::vulkan;
    if (api == GpuApi::metal) return name == "sqrt of double";
    if (api == GpuApi::d3d12compute) return name == "half" || name == "pow of half";
    if (api == GpuApi::webgpu) return name == "atomic int32" || name == "atomic float";
    return false;
}

class AbilityTest : public testing::TestWithParam<GpuApi> {};

TEST_P(AbilityTest, IsWhatTheCodeGeneratorHas) {
    const GpuApi api = GetParam();
    for (const Case &test : cases()) {
        const Ability &ability = capabilities(api).*test.ability;
        Target target = target_of(api);
        if (ability.when == Ability::When::with_feature) {
            EXPECT_FALSE(has(target, ability)) << test.name;
            EXPECT_FALSE(test.compiles(target)) << test.name << " without " << ability.feature;
            target.set_feature(Target::feature_from_name(std::string(ability.feature)));
        } else if (ability.when == Ability::When::never && api == GpuApi::vulkan) {
            // Not for want of the type.
            target = target.with_feature(Target::VulkanFloat64).with_feature(Target::VulkanInt64);
            target.set_feature(Target::VulkanFloat16);
        }
        const bool compiled = test.compiles(target);
        EXPECT_EQ(has(target, ability), compiled && !denied_all_the_same(api, test.name))
            << test.name << " for " << target.to_string();
    }
}

INSTANTIATE_TEST_SUITE_P(EveryGpuApi, AbilityTest,
                         testing::Values(GpuApi::cuda, GpuApi::opencl, GpuApi::metal,
                                         GpuApi::vulkan, GpuApi::d3d12compute, GpuApi::webgpu),
                         [](const auto &info) { return std::string(to_string(info.param)); });

TEST(TargetApi, IsTheOneThatHalideTakes) {
    for (size_t i = 0; i < kGpuApiNames.size(); ++i) {
        const GpuApi api = static_cast<GpuApi>(i);
        EXPECT_EQ(gpu_api(target_of(api)), api);
    }
    EXPECT_EQ(gpu_api(Target("x86-64-linux")), std::nullopt);
    // Of several, the one on which Halide puts loops that name none.
    const Target both("x86-64-linux-cuda-vulkan");
    EXPECT_EQ(Halide::get_default_device_api_for_target(both), Halide::DeviceAPI::CUDA);
    EXPECT_EQ(gpu_api(both), GpuApi::cuda);
}

}  // namespace
}  // namespace autoschedule_gpu
