#include "pipelines/odd_pipelines.h"

namespace autoschedule_gpu::testing {

Halide::ImageParam OddCase::input(const Halide::Type &type, const Region &region, int values) {
    const size_t index = case_.inputs.size();
    InputImage image{
        Halide::ImageParam(type, static_cast<int>(region.size()), "in" + std::to_string(index)),
        region, values, index + 1};
    case_.inputs.push_back(image);
    return image.param;
}

OddCase &OddCase::output(const Halide::Func &func, const Region &region) {
    case_.outputs.push_back({func, region, std::vector<bool>(region.size(), true)});
    return *this;
}

OddCase &OddCase::fixed_size() {
    std::vector<bool> &growable = case_.outputs.back().growable;
    growable.assign(growable.size(), false);
    return *this;
}

OddCase &OddCase::inline_only(const Halide::Func &func) {
    case_.inline_only.push_back(func);
    return *this;
}

OddCase &OddCase::schedule_only() {
    case_.schedule_only = true;
    return *this;
}

OddCase &OddCase::uses_doubles() {
    case_.uses_doubles = true;
    return *this;
}

PipelineCase OddCase::finish() {
    set_estimates(case_);
    describe(case_);
    return std::move(case_);
}

Region box(std::initializer_list<int> extents) {
    Region region;
    for (int extent : extents) region.push_back({0, extent - 1});
    return region;
}

std::vector<OddPipeline> odd_pipelines() {
    std::vector<OddPipeline> all;
    for (std::span<const OddPipeline> table :
         {odd_host_stages(), odd_shapes(), odd_updates(), odd_values()}) {
        all.insert(all.end(), table.begin(), table.end());
    }
    return all;
}

}  // namespace autoschedule_gpu::testing
