#include "halide/read/given_sizes.h"

#include <cmath>
#include <optional>
#include <sstream>
#include <utility>

#include "halide/read/read_stage.h"

namespace autoschedule_gpu {
namespace {

namespace HI = Halide::Internal;

// The parameters of a pipeline, by name, and its outputs.
class Named : public HI::IRGraphVisitor {
public:
    explicit Named(const Halide::Pipeline &pipeline) {
        for (Halide::Func output : pipeline.outputs()) outputs.emplace(output.name(), output);
        std::vector<HI::Function> functions;
        for (const auto &[name, output] : outputs) functions.push_back(output.function());
        for (const auto &[name, function] : HI::build_environment(functions)) {
            function.accept(this);
            for (const Halide::ExternFuncArgument &arg : function.extern_arguments()) {
                if (arg.is_image_param()) add(arg.image_param);
            }
        }
    }

    std::map<std::string, Halide::Func> outputs;
    std::map<std::string, Halide::Parameter> images, scalars;

protected:
    using HI::IRGraphVisitor::visit;

    void visit(const HI::Variable *op) override { add(op->param); }
    void visit(const HI::Call *op) override {
        add(op->param);
        HI::IRGraphVisitor::visit(op);
    }

private:
    void add(const Halide::Parameter &param) {
        if (param.defined()) (param.is_buffer() ? images : scalars).emplace(param.name(), param);
    }
};

template <typename T>
std::string names_of(const std::map<std::string, T> &named) {
    std::string text;
    for (const auto &[name, value] : named) text += (text.empty() ? "" : ", ") + name;
    return text.empty() ? "none" : text;
}

std::string dimensions(size_t count) {
    return std::to_string(count) + (count == 1 ? " dimension" : " dimensions");
}

// What is fixed of one dimension, if it is another size.
std::optional<std::string> conflict(const Halide::Expr &fixed, int64_t given, const char *what,
                                    size_t dim) {
    if (!fixed.defined()) return std::nullopt;
    const auto value = HI::as_const_int(HI::simplify(fixed));
    if (!value || *value == given) return std::nullopt;
    return "dimension " + std::to_string(dim) + ": the pipeline fixes its " + what + " at " +
           std::to_string(*value) + ", found " + std::to_string(given);
}

std::optional<std::string> conflict(const Halide::Parameter &buffer, size_t dim,
                                    const Interval &range) {
    const int d = static_cast<int>(dim);
    if (auto why = conflict(buffer.min_constraint(d), range.min, "min", dim)) return why;
    return conflict(buffer.extent_constraint(d), range.extent(), "extent", dim);
}

std::optional<std::string> conflict(const Halide::Func &output, size_t dim, const Interval &range) {
    const HI::Function &function = output.function();
    for (const HI::Bound &bound : function.schedule().bounds()) {
        if (bound.var != function.args()[dim]) continue;
        if (auto why = conflict(bound.min, range.min, "min", dim)) return why;
        if (auto why = conflict(bound.extent, range.extent(), "extent", dim)) return why;
    }
    for (const Halide::Parameter &buffer : function.output_buffers()) {
        if (auto why = conflict(buffer, dim, range)) return why;
    }
    return std::nullopt;
}

// Whether an integer type has the value.
bool is_of(const Halide::Type &type, double value) {
    constexpr double kMost = 9e15;  // up to which doubles have all integers
    if (!(std::abs(value) <= kMost)) return false;
    const auto whole = static_cast<int64_t>(value);
    return static_cast<double>(whole) == value && type.can_represent(whole);
}

size_t dimensions_of(const Halide::Func &output) {
    return static_cast<size_t>(output.dimensions());
}
size_t dimensions_of(const Halide::Parameter &image) {
    return static_cast<size_t>(image.dimensions());
}

// A name without the counter that Halide adds to one that was there before.
std::string without_counter(const std::string &name) {
    const size_t mark = name.find_last_not_of("0123456789");
    const bool has_counter =
        mark != std::string::npos && mark > 0 && mark + 1 < name.size() && name[mark] == '$';
    return has_counter ? name.substr(0, mark) : name;
}

// By names without counters, as far as these differ.
template <typename T>
std::map<std::string, T> by_plain_names(const std::map<std::string, T> &named) {
    std::map<std::string, int> count;
    for (const auto &[name, value] : named) ++count[without_counter(name)];
    std::map<std::string, T> result;
    for (const auto &[name, value] : named) {
        const std::string plain = without_counter(name);
        result.emplace(count[plain] == 1 ? plain : name, value);
    }
    return result;
}

Error no_such(const std::string &where, const std::string &names) {
    return Error{where + "the pipeline has none of that name; there is: " + names};
}

using Ranges = std::map<std::string, std::vector<Interval>>;

template <typename T>
Result<Ranges> buffers_of(const Ranges &sizes, const std::map<std::string, T> &all,
                          const std::string &field) {
    const std::map<std::string, T> named = by_plain_names(all);
    Ranges result;
    for (const auto &[name, ranges] : sizes) {
        const std::string where = field + ", \"" + name + "\": ";
        const auto found = named.find(name);
        if (found == named.end()) return no_such(where, names_of(named));
        const size_t count = dimensions_of(found->second);
        if (ranges.size() != count) {
            return Error{where + "expected a range for each of its " + dimensions(count) +
                         ", found " + std::to_string(ranges.size())};
        }
        for (size_t d = 0; d < count; ++d) {
            if (const auto why = conflict(found->second, d, ranges[d])) return Error{where + *why};
        }
        result[found->second.name()] = ranges;
    }
    return result;
}

Result<std::map<std::string, double>> scalars_of(
    const std::map<std::string, double> &values,
    const std::map<std::string, Halide::Parameter> &all) {
    const std::map<std::string, Halide::Parameter> named = by_plain_names(all);
    std::map<std::string, double> result;
    for (const auto &[name, value] : values) {
        const std::string where = "scalars, \"" + name + "\": ";
        const auto found = named.find(name);
        if (found == named.end()) return no_such(where, names_of(named));
        const Halide::Type type = found->second.type();
        if (!type.is_float() && !is_of(type, value)) {
            std::ostringstream text;
            text << where << "expected a value of " << type << ", found " << value;
            return Error{text.str()};
        }
        result[found->second.name()] = value;
    }
    return result;
}

}  // namespace

Result<GivenSizes> sizes_of(const Halide::Pipeline &pipeline, const GivenSizes &named) {
    const Named all(pipeline);
    Result<Ranges> outputs = buffers_of(named.outputs, all.outputs, "outputs");
    if (!outputs) return outputs.error();
    std::map<std::string, Halide::Parameter> images = all.images;
    for (const auto &[name, output] : all.outputs) {
        for (const Halide::Parameter &buffer : output.function().output_buffers()) {
            images.erase(buffer.name());
        }
    }
    Result<Ranges> inputs = buffers_of(named.inputs, images, "inputs");
    if (!inputs) return inputs.error();
    Result<std::map<std::string, double>> scalars = scalars_of(named.scalars, all.scalars);
    if (!scalars) return scalars.error();
    return GivenSizes{std::move(outputs).value(), std::move(inputs).value(),
                      std::move(scalars).value()};
}

}  // namespace autoschedule_gpu
