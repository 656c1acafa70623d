// random_pipeline.generator: the random pipeline of a seed, as a Halide generator program.
//
//     random_pipeline.generator -g random_pipeline -o DIR -e object target=host seed=17 work=small
//
// Without an autoscheduler it has a plain schedule for the CPU. Its inputs and outputs depend on
// the seed, so it cannot be a Halide::Generator, whose inputs and outputs are members.
#include <Halide.h>

#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "halide/version/version.h"
#include "learn/random_pipelines/random_pipeline.h"

namespace autoschedule_gpu::random_pipelines {

namespace {

using Halide::Func;
using Halide::Parameter;
using Halide::Internal::AbstractGenerator;

constexpr std::string_view kAutoscheduler = "autoscheduler";

// Schedules every Func at root, so that nothing is computed twice, with parallel rows.
void schedule_for_cpu(const Halide::Pipeline &pipeline) {
    std::vector<Halide::Internal::Function> outputs;
    for (const Func &output : pipeline.outputs()) outputs.push_back(output.function());
    for (const auto &[name, function] : Halide::Internal::build_environment(outputs)) {
        Func func(function);
        func.compute_root();
        if (func.dimensions() > 0) func.parallel(func.args().back());
        for (int i = 0; i < func.num_update_definitions(); ++i) func.update(i).unscheduled();
    }
}

class RandomPipelineGenerator : public AbstractGenerator {
public:
    explicit RandomPipelineGenerator(const Halide::GeneratorContext &context)
        : target_(context.target()), autoscheduler_(context.autoscheduler_params()) {}

    std::string name() override { return "random_pipeline"; }
    Halide::GeneratorContext context() const override {
        return Halide::GeneratorContext(target_, autoscheduler_);
    }

    // Halide calls this before it has set any parameter.
    std::vector<ArgInfo> arginfos() override {
        if (!seed_) return {};
        std::vector<ArgInfo> infos;
        for (const auto &[argument, parameter] : inputs()) {
            infos.push_back({argument,
                             Halide::Internal::ArgInfoDirection::Input,
                             parameter.is_buffer() ? Halide::Internal::ArgInfoKind::Buffer
                                                   : Halide::Internal::ArgInfoKind::Scalar,
                             {parameter.type()},
                             parameter.is_buffer() ? parameter.dimensions() : 0});
        }
        for (const auto &[argument, func] : outputs()) {
            infos.push_back({argument, Halide::Internal::ArgInfoDirection::Output,
                             Halide::Internal::ArgInfoKind::Function, func.types(),
                             func.dimensions()});
        }
        return infos;
    }

    void set_generatorparam_value(const std::string &param, const std::string &value) override {
        if (param == kAutoscheduler) {
            autoscheduler_.name = value;
        } else if (param.starts_with(std::string(kAutoscheduler) + ".")) {
            autoscheduler_.extra[param.substr(kAutoscheduler.size() + 1)] = value;
        } else if (param == "seed") {
            const char *end = value.data() + value.size();
            const auto [stop, code] = std::from_chars(value.data(), end, seed_.emplace());
            if (code != std::errc() || stop != end) {
                halide_version::report_error(
                    "seed must be a whole number from 0 to 2^64 - 1, not '" + value + "'\n");
            }
        } else if (param == "work") {
            if (value != "small" && value != "large") {
                halide_version::report_error("work must be small or large, not '" + value + "'\n");
            }
            work_ = value == "small" ? Work::small : Work::large;
        } else {
            halide_version::report_error("no parameter '" + param + "'; there are: seed, work\n");
        }
    }
    void set_generatorparam_value(const std::string &param, const Halide::LoopLevel &) override {
        halide_version::report_error("'" + param + "' can't be a loop level\n");
    }

    Halide::Pipeline build_pipeline() override {
        const Halide::Pipeline pipeline = made().pipeline();
        if (autoscheduler_.name.empty()) schedule_for_cpu(pipeline);
        return pipeline;
    }

    std::vector<Parameter> input_parameter(const std::string &argument) override {
        return {inputs().at(argument)};
    }
    std::vector<Func> output_func(const std::string &argument) override {
        return {outputs().at(argument)};
    }

    void bind_input(const std::string &, const std::vector<Parameter> &) override { no_binding(); }
    void bind_input(const std::string &, const std::vector<Func> &) override { no_binding(); }
    void bind_input(const std::string &, const std::vector<Halide::Expr> &) override {
        no_binding();
    }
    bool emit_cpp_stub(const std::string &) override { return false; }
    bool emit_hlpipe(const std::string &) override { return false; }
    bool allow_out_of_order_inputs_and_outputs() const override { return false; }

private:
    // The pipeline is made when it is first needed, because all parameters are set by then.
    const RandomPipeline &made() {
        if (!seed_) halide_version::report_error("which pipeline? Add seed=N\n");
        if (!made_) made_ = make_timed_pipeline(*seed_, work_);
        return *made_;
    }

    // Arguments are named here, because Halide makes names unique by counting.
    std::map<std::string, Parameter> inputs() {
        std::map<std::string, Parameter> named;
        for (const InputImage &input : made().inputs) {
            named.emplace(input.param.name(), input.param.parameter());
        }
        for (const Parameter &scalar : made().scalars) named.emplace(scalar.name(), scalar);
        return named;
    }
    std::map<std::string, Func> outputs() {
        std::map<std::string, Func> named;
        for (const OutputFunc &output : made().outputs) {
            named.emplace("out" + std::to_string(named.size()), output.func);
        }
        return named;
    }

    void no_binding() { halide_version::report_error("random_pipeline can't be a stage\n"); }

    Halide::Target target_;
    Halide::AutoschedulerParams autoscheduler_;
    std::optional<uint64_t> seed_;
    Work work_ = Work::small;
    std::optional<RandomPipeline> made_;
};

const Halide::Internal::RegisterGenerator registered(
    "random_pipeline",
    [](const Halide::GeneratorContext &context) -> std::unique_ptr<AbstractGenerator> {
        return std::make_unique<RandomPipelineGenerator>(context);
    });

}  // namespace

}  // namespace autoschedule_gpu::random_pipelines
