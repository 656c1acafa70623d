#include "pipelines/sizes.h"

#include <algorithm>

namespace autoschedule_gpu::testing {
namespace {

Span of(int lo, int extent) {
    return {lo, lo + std::max(1, extent) - 1};
}

constexpr SizeVariant kEstimated = {"estimated", [](Span s, size_t) { return s; }};
constexpr SizeVariant kGrown = {"grown", [](Span s, size_t) { return of(s.lo, s.extent() + 7); }};

constexpr SizeVariant kOthers[] = {
    {"big", [](Span s, size_t) { return of(s.lo, 2 * s.extent() + 3); }},
    {"odd", [](Span s, size_t d) { return of(s.lo + 5 - int(d), s.extent() - 7 + 2 * int(d)); }},
    {"half", [](Span s, size_t) { return of(s.lo, s.extent() / 2); }},
    {"one", [](Span s, size_t) { return of(s.lo, 1); }},
    {"thin", [](Span s, size_t d) { return d == 0 ? of(s.lo, 1) : s; }},
    {"flat", [](Span s, size_t d) { return d == 1 ? of(s.lo, 1) : s; }},
    {"negative", [](Span s, size_t d) { return of(s.lo - 11 - int(d), s.extent() / 3 + 1); }},
    {"crop", [](Span s, size_t) { return of(s.lo + 1, s.extent() - 2); }, 3},
    {"interleaved", [](Span s, size_t) { return s; }, 0, Layout::interleaved},
};

}  // namespace

std::vector<SizeVariant> size_variants(Sizes sizes) {
    std::vector<SizeVariant> variants = {kEstimated};
    if (sizes == Sizes::grown) variants.push_back(kGrown);
    if (sizes == Sizes::all) variants.insert(variants.end(), std::begin(kOthers), std::end(kOthers));
    return variants;
}

bool differs_at(const PipelineCase &c, const SizeVariant &variant) {
    if (regions_at(c, variant) != regions_at(c, kEstimated)) return true;
    const auto changes = [&](const Halide::Parameter &buffer) {
        return allowed_layout(buffer, variant.layout) != allowed_layout(buffer, kEstimated.layout);
    };
    for (const InputImage &input : c.inputs) {
        if (changes(input.param.parameter())) return true;
    }
    for (const OutputFunc &output : c.outputs) {
        for (const Halide::OutputImageParam &buffer : output.func.output_buffers()) {
            if (changes(buffer.parameter())) return true;
        }
    }
    return false;
}

std::vector<Region> regions_at(const PipelineCase &c, const SizeVariant &variant) {
    std::vector<Region> regions;
    for (const OutputFunc &output : c.outputs) {
        Region region = output.region;
        for (size_t d = 0; d < region.size(); ++d) {
            if (output.growable[d]) region[d] = variant.range(region[d], d);
        }
        regions.push_back(std::move(region));
    }
    return regions;
}

}  // namespace autoschedule_gpu::testing
