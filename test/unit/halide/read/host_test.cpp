// Which Funcs must stay on the host, and why.
#include "reading.h"

HalideExtern_2(float, odd_function, float, float);
HalidePureExtern_1(float, pure_function, float);

namespace autoschedule_gpu {
namespace {

using namespace testing;
using HFunc = Halide::Func;
using Halide::cast;
using Halide::Expr;
using Halide::Float;
using Halide::ImageParam;
using Halide::Target;
using Halide::Type;

std::string reason_for(const std::function<Expr(Expr)> &value, Type type = Float(32),
                       const Target &target = cuda()) {
    ImageParam in(type, 1, "in");
    HFunc g("g"), f("f");
    g(x) = value(in(x));
    f(x) = cast<float>(g(x));
    f.set_estimate(x, 0, 8);
    const Dag dag = read(f, target);
    EXPECT_EQ(func(dag, g).can_inline, !func(dag, g).on_host());
    return func(dag, g).host_reason;
}

TEST(HostReason, IsEmptyForOrdinaryArithmetic) {
    EXPECT_EQ(reason_for([](Expr e) { return e * 2.0f; }), "");
}

TEST(HostReason, IsEmptyForMathThatTheBackendsHave) {
    using Fn = Expr (*)(Expr);
    const Fn functions[] = {
        [](Expr e) { return Halide::sin(e); },
        [](Expr e) { return Halide::atanh(e); },
        [](Expr e) { return Halide::pow(e, 1.3f); },
        [](Expr e) { return Halide::atan2(e, 2.f); },
        [](Expr e) { return Halide::floor(e); },
        [](Expr e) { return Halide::round(e); },
        [](Expr e) { return Halide::fast_exp(e); },
        [](Expr e) { return Halide::fast_log(e); },
        [](Expr e) { return Halide::fast_inverse(e); },
        [](Expr e) { return Halide::is_nan(e); },
        [](Expr e) { return Halide::trunc(e); },
        [](Expr e) { return Halide::abs(e); },
        [](Expr e) { return Halide::fast_pow(e, 2.5f); },
        [](Expr e) { return Halide::fast_inverse_sqrt(e); },
        [](Expr e) { return Halide::lerp(e, 1.0f, 0.5f); },
        [](Expr e) { return e + Halide::random_float(); },
        [](Expr e) { return Halide::erf(e); },
    };
    for (const Fn function : functions) EXPECT_EQ(reason_for(function), "");
}

TEST(HostReason, NamesCallsThatNoKernelCanMake) {
    EXPECT_EQ(reason_for([](Expr e) { return odd_function(e, e); }),
              "calls the extern function odd_function");
    EXPECT_EQ(reason_for([](Expr e) { return Halide::print(e); }), "calls print()");
    EXPECT_EQ(reason_for([](Expr e) { return Halide::require(e > 0.0f, e, "positive"); }),
              "calls require()");
}

// Cores of the host may share the points of a Func where nobody can tell in which order they were
// computed.
TEST(HostStages, AreInOrderWhereThatMayBeSeen) {
    const auto is_in_order = [](const std::function<Expr(Expr)> &value, bool traced = false) {
        ImageParam in(Float(32), 1, "in");
        HFunc f("f");
        f(x) = value(in(x));
        f.set_estimate(x, 0, 8);
        if (traced) f.trace_stores();
        const Dag dag = read(f, cuda());
        EXPECT_TRUE(func(dag, f).on_host());
        return func(dag, f).in_order;
    };
    EXPECT_TRUE(is_in_order([](Expr e) { return Halide::print(e); }));
    EXPECT_TRUE(is_in_order([](Expr e) { return odd_function(e, e); }));
    EXPECT_TRUE(is_in_order([](Expr e) { return e * 2; }, true));
    EXPECT_TRUE(is_in_order([](Expr e) { return Halide::require(e > 0.0f, e, "positive"); }))
        << "the first that fails is told";
    EXPECT_FALSE(is_in_order([](Expr e) { return pure_function(e); }));
}

TEST(HostReason, DependsOnWhatTheApiCanDo) {
    const Target opencl("x86-64-linux-opencl");
    const auto identity = [](Expr e) { return e; };
    const std::string without = reason_for(identity, Float(64), opencl);
    EXPECT_EQ(without, "stores double, for which the target needs the feature cl_doubles");
    EXPECT_EQ(reason_for(identity, Float(64), opencl.with_feature(Target::CLDoubles)), "");
    EXPECT_EQ(reason_for(identity, Float(64)), "");
    EXPECT_NE(reason_for(identity, Float(16), opencl), "");
    EXPECT_EQ(reason_for(identity, Float(16), opencl.with_feature(Target::CLHalf)), "");
    const std::string inside =
        reason_for([](Expr e) { return cast<float>(cast<double>(e) * 2); }, Float(32), opencl);
    EXPECT_EQ(inside, "computes with double, for which the target needs the feature cl_doubles");
    EXPECT_NE(reason_for(identity, Float(64), Target("x86-64-linux-metal")), "");
}

TEST(HostReason, NamesTheFeatureThatVulkanNeedsForAType) {
    const Target vulkan("x86-64-linux-vulkan");
    const std::pair<Type, Target::Feature> cases[] = {
        {Halide::UInt(8), Target::VulkanInt8},  {Halide::Int(16), Target::VulkanInt16},
        {Halide::Int(64), Target::VulkanInt64}, {Float(16), Target::VulkanFloat16},
        {Float(64), Target::VulkanFloat64},
    };
    const auto identity = [](Expr e) { return e; };
    for (const auto &[type, feature] : cases) {
        const std::string reason = reason_for(identity, type, vulkan);
        EXPECT_NE(reason.find("needs the feature " + Target::feature_to_name(feature)),
                  std::string::npos)
            << reason;
        EXPECT_EQ(reason_for(identity, type, vulkan.with_feature(feature)), "") << type;
    }
}

TEST(HostReason, NamesWhatABackendCanNotTranslate) {
    const Target vulkan("x86-64-linux-vulkan-vk_float64-vk_float16");
    const Target metal("arm-64-osx-metal");
    const auto root = [](Expr e) { return Halide::sqrt(e); };
    const auto count = [](Expr e) { return Halide::popcount(e); };
    EXPECT_EQ(
        reason_for(root, Float(64), vulkan),
        "computes with mathematical functions of double, which kernels for Vulkan can't have");
    EXPECT_EQ(reason_for([](Expr e) { return e * 2; }, Float(64), vulkan), "");
    EXPECT_EQ(reason_for(count, Halide::Int(32), vulkan),
              "computes with counts of bits, which kernels for Vulkan can't have");
    EXPECT_EQ(reason_for(count, Halide::Int(32), metal),
              "computes with counts of bits, which kernels for Metal can't have");
    EXPECT_EQ(reason_for(count, Halide::Int(32), Target("x86-64-linux-cuda")), "");
    EXPECT_EQ(reason_for([](Expr e) { return Halide::pow(e, e); }, Float(16), vulkan),
              "computes with pow of half, which kernels for Vulkan can't have");
    EXPECT_EQ(reason_for([](Expr e) { return e; }, Halide::Int(64), metal),
              "stores 64-bit integers, which kernels for Metal can't have");
}

TEST(HostReason, BooleansThatAKernelCanNotStoreAreInlinedOrStayOnTheHostWithTheirReaders) {
    ImageParam in(Float(32), 1, "in");
    HFunc mask("mask"), seen("seen"), f("f");
    mask(x) = in(x) > 0.5f;
    Halide::RDom r(0, 4);
    seen(x) = mask(x);
    seen(x) = seen(x) || in(x + r) > 0.75f;
    f(x) = Halide::select(mask(x), in(x), 0.0f) + Halide::select(seen(x), 1.0f, 0.0f);
    f.set_estimate(x, 0, 64);

    const Dag vulkan = read(f, Target("x86-64-linux-vulkan"));
    EXPECT_TRUE(func(vulkan, mask).must_inline);
    EXPECT_FALSE(func(vulkan, mask).on_host());
    EXPECT_EQ(func(vulkan, seen).host_reason,
              "stores Booleans in memory, which kernels for Vulkan can't have");
    EXPECT_EQ(func(vulkan, f).host_reason, "reads seen, which no kernel can load");

    const Dag metal = read(f, Target("arm-64-osx-metal"));
    EXPECT_FALSE(func(metal, mask).must_inline);
    EXPECT_FALSE(func(metal, seen).on_host());
    EXPECT_FALSE(func(metal, f).on_host());
}

TEST(HostReason, BooleansThatTheirUserHasPlacedAreStoredOnTheHost) {
    ImageParam in(Float(32), 1, "in");
    HFunc mask("mask"), f("f"), last("last");
    mask(x) = in(x) > 0.5f;
    f(x) = Halide::select(mask(x), in(x), 0.0f);
    last(x) = f(x) + 1.0f;
    last.set_estimate(x, 0, 64);
    mask.compute_root();

    const Dag vulkan = read(last, Target("x86-64-linux-vulkan"));
    EXPECT_FALSE(func(vulkan, mask).must_inline);
    EXPECT_EQ(func(vulkan, mask).host_reason,
              "stores Booleans in memory, which kernels for Vulkan can't have");
    EXPECT_EQ(func(vulkan, f).host_reason, "reads " + mask.name() + ", which no kernel can load");
    EXPECT_FALSE(func(vulkan, last).on_host());

    const Dag metal = read(last, Target("arm-64-osx-metal"));
    EXPECT_FALSE(func(metal, mask).on_host());
}

TEST(HostReason, BooleansThatAnExternStageReadsAreStoredOnTheHost) {
    ImageParam in(Float(32), 1, "in");
    in.set_estimates({{0, 100}});
    HFunc mask("mask"), ext("ext"), f("f");
    mask(x) = in(x) > 0.5f;
    ext.define_extern("make_something", {mask}, Float(32), 1);
    f(x) = ext(x) + Halide::select(mask(x), 1.0f, 0.0f);
    mask.set_estimate(x, 0, 64);
    f.set_estimate(x, 0, 64);
    const Dag dag = read(f, Target("x86-64-linux-vulkan"));
    EXPECT_FALSE(func(dag, mask).must_inline);
    EXPECT_EQ(func(dag, mask).host_reason, "is read by the extern stage " + ext.name());
    EXPECT_EQ(func(dag, f).host_reason, "reads " + mask.name() + ", which no kernel can load");
}

TEST(HostReason, ExternStages) {
    ImageParam in(Float(32), 1, "in");
    HFunc before("before"), ext("ext"), f("f");
    before(x) = in(x)*2.0f;
    ext.define_extern("make_something", {before, in}, Float(32), 1);
    f(x) = ext(x + 1);
    f.set_estimate(x, 0, 10);
    const Dag dag = read(f);
    EXPECT_EQ(func(dag, ext).host_reason, "is the extern stage make_something");
    EXPECT_FALSE(func(dag, ext).can_inline);
    // An extern stage reads memory.
    EXPECT_FALSE(func(dag, before).can_inline);
    const Edge &needs = edge(dag, stage(dag, ext), before.name());
    EXPECT_TRUE(needs.fallback);
    EXPECT_EQ(evaluate(dag, needs.region, {{3, 4}}), estimates(func(dag, before)));
    EXPECT_EQ(estimates(func(dag, before)), (Intervals{{1, 10}}));
    EXPECT_EQ(to_text(load(dag, stage(dag, ext), before.name()).access), "[?]");
}

TEST(HostReason, IsNoneForWhatAnExternStageOfTheDeviceReads) {
    const auto reason_with = [](Halide::DeviceAPI api) {
        HFunc before("before"), ext("ext"), f("f");
        before(x) = cast<float>(x);
        ext.define_extern("make_something", {before}, Float(32), {x}, Halide::NameMangling::Default,
                          api);
        f(x) = ext(x);
        f.set_estimate(x, 0, 10);
        const Dag dag = read(f);
        EXPECT_TRUE(func(dag, ext).on_host()) << "it is no kernel of ours";
        EXPECT_FALSE(func(dag, before).can_inline);
        return func(dag, before).host_reason.substr(0, 29);
    };
    EXPECT_EQ(reason_with(Halide::DeviceAPI::CUDA), "");
    EXPECT_EQ(reason_with(Halide::DeviceAPI::Default_GPU), "");
    EXPECT_EQ(reason_with(Halide::DeviceAPI::OpenCL), "is read by the extern stage e");
    EXPECT_EQ(reason_with(Halide::DeviceAPI::Host), "is read by the extern stage e");
}

TEST(HostReason, MemoizedAndAsync) {
    for (const bool memoized : {true, false}) {
        HFunc g("g"), f("f");
        g(x) = x;
        f(x) = g(x);
        f.set_estimate(x, 0, 10);
        memoized ? g.memoize() : g.async();
        const Dag dag = read(f);
        EXPECT_EQ(func(dag, g).host_reason, memoized ? "is memoized" : "is async");
        EXPECT_FALSE(func(dag, g).can_inline);
        EXPECT_EQ(func(dag, f).host_reason,
                  "reads " + g.name() + ", which is " + (memoized ? "memoized" : "async"));
    }
}

// Schedules for several sizes must know of all that is async.
TEST(HostReason, IsOneOfSeveralForWhatIsAsync) {
    HFunc before("before"), ext("ext"), both("both"), f("f");
    before(x) = x;
    ext.define_extern("make_something", {before}, Halide::Int(32), 1);
    ext.async();
    both(x) = x;
    both.compute_root().memoize().async();
    f(x) = ext(x) + both(x);
    f.set_estimate(x, 0, 10);
    const Dag dag = read(f);
    EXPECT_EQ(func(dag, ext).host_reason, "is the extern stage make_something");
    EXPECT_TRUE(func(dag, ext).is_extern && func(dag, ext).is_async);
    EXPECT_EQ(func(dag, both).host_reason, "is async");
    EXPECT_TRUE(!func(dag, both).is_extern && func(dag, both).is_async);
    EXPECT_FALSE(func(dag, before).is_extern || func(dag, before).is_async);
}

// A Func without a bound on where it is read is inlined, and its reader then reads what it reads.
TEST(HostReason, WhatReadsMemoizedAndAsyncThroughWhatMustBeInlined) {
    for (const bool memoized : {true, false}) {
        // No ImageParam, whose Func would be computed beside the other and keep f on the host, too.
        const Halide::Buffer<int> places(10);
        HFunc g("g"), boundary("boundary"), f("f"), last("last");
        g(x) = x;
        boundary(x) = g(clamp(x, 0, 99));
        f(x) = boundary(places(x));
        last(x) = f(x) + 1;
        last.set_estimate(x, 0, 10);
        memoized ? g.memoize() : g.async();
        const Dag dag = read(last);
        EXPECT_TRUE(func(dag, boundary).must_inline);
        EXPECT_EQ(func(dag, f).host_reason,
                  "reads " + g.name() + ", which is " + (memoized ? "memoized" : "async"));
        EXPECT_FALSE(func(dag, last).on_host());
    }
}

TEST(HostReason, TracedLoadsAndStores) {
    for (const bool loads : {true, false}) {
        HFunc g("g"), f("f");
        g(x) = x;
        f(x) = g(x);
        f.set_estimate(x, 0, 10);
        loads ? g.trace_loads() : g.trace_stores();
        const Dag dag = read(f);
        EXPECT_EQ(func(dag, g).host_reason, "is traced");
        // A load is traced where it is, which is in the reader.
        EXPECT_EQ(func(dag, f).host_reason,
                  loads ? "reads " + g.name() + ", which is traced" : std::string());
    }
}

TEST(HostReason, IsThatTheTargetTracesLoadsOrStores) {
    const auto identity = [](Expr e) { return e; };
    for (const Target::Feature feature : {Target::TraceLoads, Target::TraceStores}) {
        EXPECT_EQ(reason_for(identity, Float(32), cuda().with_feature(feature)), "is traced");
    }
}

// The host calls the functions for that, around kernels.
TEST(HostReason, IsNoneForWhatUsersLookAtWhereItIsRealized) {
    for (const bool traced : {true, false}) {
        const auto look_at = [&](HFunc &looked) {
            if (traced) looked.trace_realizations();
            if (!traced) looked.debug_to_file("realized.npy");
        };
        HFunc g("g"), f("f");
        g(x) = x;
        f(x) = g(x);
        f.set_estimate(x, 0, 10);
        look_at(g);
        look_at(f);
        const Dag dag = read(f);
        EXPECT_FALSE(func(dag, g).on_host());
        EXPECT_FALSE(func(dag, g).can_inline);
        EXPECT_EQ(func(dag, g).ours, Func::Ours::loops) << "it is at root";
        EXPECT_EQ(func(dag, g).user_directives, std::vector<std::string>{});
        EXPECT_FALSE(func(dag, f).on_host());
        EXPECT_EQ(func(dag, f).ours, Func::Ours::all) << "an output is at root anyway";
    }
}

TEST(HostReason, IsNoneForWhatTheTargetTracesWhereItIsRealized) {
    ImageParam in(Float(32), 1, "in");
    in.dim(0).set_estimate(0, 10);
    HFunc unbounded("unbounded"), g("g"), f("f");
    unbounded(x) = in(clamp(x, 0, 9));
    g(x) = unbounded(cast<int>(in(x)));
    f(x) = g(x);
    f.set_estimate(x, 0, 10);
    const Dag dag = read(f, cuda().with_feature(Target::TraceRealizations));
    EXPECT_FALSE(func(dag, g).on_host());
    EXPECT_FALSE(func(dag, g).can_inline);
    EXPECT_EQ(func(dag, g).ours, Func::Ours::loops) << "it is at root";
    EXPECT_EQ(func(dag, f).ours, Func::Ours::all) << "an output is at root anyway";
    EXPECT_TRUE(func(dag, unbounded).must_inline) << "it can't be realized";
    EXPECT_EQ(func(read(f), g).ours, Func::Ours::all);
}

// Halide realizes a, beside, first and what else f reads in this order, and waits for a where
// `first` begins.
struct BesideAsync {
    BesideAsync() {
        a(x) = x;
        a.compute_root().async();
        beside(x) = x * 2;
        first(x) = a(x) + beside(x);
    }
    Dag read_with(const HFunc &last) {
        f(x) = first(x) + last(x);
        f.set_estimate(x, 0, 10);
        return read(f);
    }

    HFunc a{"a"}, beside{"beside"}, first{"first"}, f{"f"};
};

TEST(HostReason, WhatIsComputedBesideAsync) {
    BesideAsync p;
    HFunc last("last");
    last(x) = p.a(x) + 3;
    const Dag dag = p.read_with(last);
    EXPECT_EQ(func(dag, p.beside).host_reason,
              "is computed beside " + p.a.name() + ", which is async");
    EXPECT_FALSE(func(dag, p.beside).can_inline);
    EXPECT_TRUE(func(dag, p.first).on_host());
    EXPECT_TRUE(func(dag, last).on_host());
    EXPECT_FALSE(func(dag, p.f).on_host()) << "what is computed later is copied";
}

TEST(HostReason, WhatReadsWhatIsComputedBesideAsync) {
    BesideAsync p;
    HFunc late("late");
    late(x) = p.beside(x) + 1;
    const Dag dag = p.read_with(late);
    EXPECT_EQ(func(dag, late).host_reason, "reads " + p.beside.name() +
                                               ", which is computed beside " + p.a.name() +
                                               ", which is async");
    EXPECT_FALSE(func(dag, p.f).on_host());
}

TEST(HostReason, ComplementsOfBooleansWhereTheyAreThoseOfC) {
    ImageParam in(Float(32), 1, "in");
    HFunc complement("complement"), negation("negation"), bits("bits");
    complement(x) = ~(in(x) > 0.5f);
    negation(x) = !(in(x) > 0.5f);
    bits(x) = ~Halide::cast<int>(in(x));
    for (HFunc *f : {&complement, &negation, &bits}) f->set_estimate(x, 0, 64);

    const Target opencl("x86-64-linux-opencl");
    EXPECT_EQ(func(read(complement, opencl), complement).host_reason,
              "computes with `~` of Booleans, which kernels for OpenCL can't have");
    EXPECT_FALSE(func(read(negation, opencl), negation).on_host());
    EXPECT_FALSE(func(read(bits, opencl), bits).on_host());
    EXPECT_FALSE(func(read(complement, Target("x86-64-linux-cuda")), complement).on_host());
}

TEST(HostReason, ConversionsToBooleansWhereTheyAreComparisonsWithZero) {
    ImageParam in(Halide::Int(32), 1, "in");
    const auto reason = [&](const Expr &number, const char *target) {
        HFunc f("f");
        f(x) = Halide::select(Halide::cast<bool>(number), 3, 5);
        f.set_estimate(x, 0, 64);
        return func(read(f, Target(target)), f).host_reason;
    };
    EXPECT_EQ(reason(in(x), "x86-64-linux-opencl"),
              "computes with conversions of numbers to Booleans, which kernels for OpenCL can't "
              "have");
    EXPECT_EQ(reason(in(x), "x86-64-linux-cuda"), "");
    EXPECT_EQ(reason(in(x) % 2, "x86-64-linux-opencl"), "");
    EXPECT_EQ(reason(Halide::select(in(x) > 3, 1, 0), "x86-64-linux-opencl"), "");
}

TEST(HostReason, RemaindersOfFloatThatMayBeNegativeWhereTheyHaveTheSignOfC) {
    const Target opencl("x86-64-linux-opencl-cl_doubles");
    const std::string reason = "computes with remainders of float that may be negative, which ";
    const auto by_three = [](Expr e) { return e % Halide::cast(e.type(), 3); };
    const auto by_itself = [](Expr e) { return Halide::abs(e) % e; };
    EXPECT_EQ(reason_for(by_three, Float(32), opencl), reason + "kernels for OpenCL can't have");
    EXPECT_EQ(reason_for(by_three, Float(64), opencl), reason + "kernels for OpenCL can't have");
    EXPECT_EQ(reason_for(by_itself, Float(32), opencl), reason + "kernels for OpenCL can't have");
    EXPECT_EQ(reason_for(by_three, Float(32), Target("x86-64-linux-vulkan")),
              reason + "kernels for Vulkan can't have");
    EXPECT_EQ(reason_for(by_three, Float(32), Target("arm-64-osx-metal")),
              reason + "kernels for Metal can't have");
    EXPECT_EQ(reason_for(by_three), "");
    EXPECT_EQ(reason_for([](Expr e) { return Halide::max(e, 0.0f) % 3.0f; }, Float(32), opencl),
              "");
    EXPECT_EQ(reason_for([](Expr e) { return cast<float>(e) % 3.0f; }, Halide::UInt(8), opencl),
              "");
    EXPECT_EQ(reason_for(by_three, Halide::Int(32), opencl), "");
}

TEST(HostReason, ConstantsOfDoubleThatOpenClRoundsToFloat) {
    const Target opencl("x86-64-linux-opencl-cl_doubles");
    const auto reason = [&](const std::function<Expr(Expr)> &value) {
        return reason_for(value, Float(64), opencl);
    };
    const std::string rounded =
        "computes with constants of double that float does not have, which kernels for OpenCL "
        "can't have";
    EXPECT_EQ(reason([](Expr e) { return e * Expr(0.1); }), rounded);
    EXPECT_EQ(reason([](Expr e) { return e + Expr(16777217.0); }), rounded);
    EXPECT_EQ(reason([](Expr e) { return e + Expr(1e300); }), rounded);
    EXPECT_EQ(reason([](Expr e) { return e + cast<double>(Expr(16777217)); }), rounded);
    EXPECT_EQ(reason([](Expr e) { return e / 3; }), rounded) << "Halide multiplies by 1 / 3";
    EXPECT_EQ(reason([](Expr e) { return Halide::saturating_cast<int32_t>(e); }), rounded);

    EXPECT_EQ(reason([](Expr e) { return e * 3 + Expr(0.5); }), "");
    EXPECT_EQ(reason([](Expr e) { return e / 4; }), "");
    EXPECT_EQ(reason([](Expr e) { return 3 / e; }), "");
    EXPECT_EQ(reason([](Expr e) { return Halide::saturating_cast<int16_t>(e); }), "");
    const auto tenth = [](Expr e) { return e * Halide::cast(e.type(), Expr(0.1)); };
    EXPECT_EQ(reason_for(tenth, Float(32), opencl), "");
    EXPECT_EQ(reason_for(tenth, Float(64)), "") << "CUDA";
    EXPECT_EQ(reason_for(tenth, Float(64), Target("x86-64-linux-vulkan-vk_float64")), "");
}

TEST(HostReason, BrainFloats) {
    ImageParam in(Halide::BFloat(16), 1, "in");
    HFunc f("f");
    f(x) = Halide::cast<float>(in(x)) + 1.0f;
    f.set_estimate(x, 0, 64);
    EXPECT_EQ(func(read(f, Target("x86-64-linux-cuda")), f).host_reason,
              "computes with bfloat16, which kernels for CUDA can't have");
    EXPECT_EQ(func(read(f, Target("x86-64-linux-opencl-cl_half")), f).host_reason,
              "computes with bfloat16, which kernels for OpenCL can't have");
}

}  // namespace
}  // namespace autoschedule_gpu
