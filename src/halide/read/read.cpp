#include "halide/read/read.h"

#include <map>
#include <string>

#include "halide/read/read_pipeline.h"

namespace autoschedule_gpu {
namespace {

Result<Dag> read(const Halide::Pipeline &pipeline, const Halide::Target &target, Respect respect,
                 const GivenSizes &sizes, const std::set<std::string> &ours) {
    try {
        return reading::PipelineReader(pipeline, target, sizes).read(respect, ours);
    } catch (const Halide::Error &error) {
        return Error{std::string("Halide could not analyse the pipeline: ") + error.what()};
    }
}

}  // namespace

Result<Dag> read_pipeline(const Halide::Pipeline &pipeline, const Halide::Target &target,
                          Respect respect, const GivenSizes &sizes) {
    return read(pipeline, target, respect, sizes, {});
}

Result<Dag> read_factored(const Halide::Pipeline &copy, const std::vector<Halide::Func> &funcs,
                          const std::map<int, std::string> &factored, const Halide::Target &target,
                          Respect respect, const GivenSizes &sizes) {
    std::map<std::string, int> numbers;
    std::set<std::string> ours;
    for (size_t i = 0; i < funcs.size(); i++) {
        if (!funcs[i].defined()) continue;
        numbers.emplace(funcs[i].name(), static_cast<int>(i));
        if (factored.contains(static_cast<int>(i))) ours.insert(funcs[i].name());
    }
    Result<Dag> result = read(copy, target, respect, sizes, ours);
    if (!result) return result;
    Dag dag = std::move(result).value();
    for (Func &func : dag.funcs) {
        if (func.halide_index < 0) continue;
        const auto number = numbers.find(func.name);
        if (number == numbers.end()) return Error{"there is no number for the Func " + func.name};
        func.halide_index = number->second;
        const auto named = factored.find(func.halide_index);
        if (named != factored.end()) func.name = named->second;
    }
    return dag;
}

}  // namespace autoschedule_gpu
