#include "scheduler/schedule/cpp_sections.h"

#include <string_view>

#include "scheduler/schedule/string_literal.h"

namespace autoschedule_gpu {
namespace {

// The same as halide/apply/sized_copy.cpp does.
constexpr std::string_view kFunctions =
    R"(// Several schedules, each for its sizes. A copy of the pipeline has Funcs of its own, but for the
// names of outputs.
const auto copy_for_sizes = [](::Halide::Pipeline whole, int number) {
    namespace ir = ::Halide::Internal;
    std::vector<ir::Function> outputs;
    for (const Func &output : whole.outputs()) outputs.push_back(output.function());
    const auto is_output = [&](const std::string &name) {
        return std::any_of(outputs.begin(), outputs.end(),
                           [&](const ir::Function &f) { return f.name() == name; });
    };
    const std::map<std::string, ir::Function> all = ir::build_environment(outputs);
    std::string prefix = "s" + std::to_string(number) + "_";
    while (std::any_of(all.begin(), all.end(), [&](const auto &one) {
        return one.first.compare(0, prefix.size(), prefix) == 0;
    })) {
        prefix = "s" + prefix;
    }
    std::map<ir::FunctionPtr, ir::FunctionPtr> copies;
    for (const std::string &name : ir::topological_order(outputs, all)) {
        const ir::Function &of = all.at(name);
        ir::Function copy(is_output(name) ? name : prefix + name);
        std::map<ir::FunctionPtr, ir::FunctionPtr> known = copies, calls = copies;
        of.deep_copy(copy.name(), copy.get_contents(), known);
        ir::FunctionPtr itself = copy.get_contents();
        itself.weaken();
        calls[of.get_contents()] = itself;
        copy.substitute_calls(calls);
        copies[of.get_contents()] = copy.get_contents();
    }
    std::vector<Func> copied;
    for (const ir::Function &output : outputs) {
        copied.emplace_back(ir::Function(copies.at(output.get_contents())));
    }
    return ::Halide::Pipeline(copied);
};
// Outputs are computed as in the copy where buffers, by name and dimension, extend so far.
const auto compute_as_in = [](::Halide::Pipeline copy, ::Halide::Pipeline whole,
                              const std::vector<std::pair<std::string, int>> &extents) {
    namespace ir = ::Halide::Internal;
    ::Halide::Expr all = ir::const_true();
    for (const auto &[extent, least] : extents) {
        const ::Halide::Expr one = ir::Variable::make(::Halide::Int(32), extent) >= least;
        all = ir::is_const_one(all) ? one : all && one;
    }
    for (size_t i = 0; i < whole.outputs().size(); ++i) {
        ir::Function output = whole.outputs()[i].function(), other = copy.outputs()[i].function();
        ir::FunctionPtr itself = output.get_contents();
        itself.weaken();
        other.substitute_calls({{other.get_contents(), itself}});
        const auto add = [&](ir::Definition &to, const ir::Definition &branch) {
            to.specializations().insert(to.specializations().begin(),
                                        ir::Specialization{all, branch, ""});
        };
        add(output.definition(), other.definition());
        for (size_t u = 0; u < output.updates().size(); ++u) {
            add(output.update(int(u)), other.update(int(u)));
        }
    }
};)";

std::string indented(const std::string &text) {
    std::string result = "    ";
    for (const char c : text) {
        result += c;
        if (c == '\n') result += "    ";
    }
    return result;
}

std::string name_of(const api::LeastExtent &one) {
    const std::string end = ".extent." + std::to_string(one.dimension);
    if (one.func < 0) return string_literal(one.input + end);
    return "pipeline.get_func(" + std::to_string(one.func) +
           ").function().output_buffers().front().name() + " + string_literal(end);
}

std::string conditions_of(const SizeSection &section) {
    std::string text;
    for (const api::LeastExtent &one : section.extents) {
        text +=
            (text.empty() ? "{" : ", {") + name_of(one) + ", " + std::to_string(one.least) + "}";
    }
    return "{" + text + "}";
}

}  // namespace

std::string section_pipeline(size_t section, size_t sections) {
    return section + 1 == sections ? "pipeline" : "sizes_" + std::to_string(section);
}

std::vector<std::string> names_around_sections(size_t sections) {
    std::vector<std::string> names = {"copy_for_sizes", "compute_as_in"};
    for (size_t i = 0; i + 1 < sections; ++i) {
        names.push_back(section_pipeline(i, sections));
        names.push_back("extents_" + std::to_string(i));
    }
    return names;
}

std::string cpp_sections(const std::vector<SizeSection> &sections,
                         const std::vector<std::string> &texts) {
    std::string text(kFunctions);
    const size_t copies = sections.size() - 1;
    for (size_t i = 0; i < copies; ++i) {
        const std::string number = std::to_string(i);
        text += "\n::Halide::Pipeline sizes_" + number + " = copy_for_sizes(pipeline, " + number +
                ");\nconst std::vector<std::pair<std::string, int>> extents_" + number + " = " +
                conditions_of(sections[i]) + ";";
    }
    for (const std::string &section : texts) text += "\n{\n" + indented(section) + "\n}";
    for (size_t i = copies; i-- > 0;) {
        const std::string number = std::to_string(i);
        text += "\ncompute_as_in(sizes_" + number + ", pipeline, extents_" + number + ");";
    }
    return text;
}

}  // namespace autoschedule_gpu
