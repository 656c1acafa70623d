#include "learn/random_pipelines/pipeline_case.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>

#include "core/support/hash.h"

namespace autoschedule_gpu::random_pipelines {

namespace {

// Returns the text with every identifier replaced by its order of appearance, because names that
// Halide makes unique by counting differ from one build of a pipeline to the next.
std::string without_names(const std::string &text) {
    std::map<std::string, int> order;
    std::string result;
    for (size_t i = 0; i < text.size();) {
        const auto starts_name = [&](char c) { return std::isalpha(c) || c == '_' || c == '$'; };
        if (!starts_name(text[i]) || (i > 0 && std::isdigit(text[i - 1]))) {
            result += text[i++];
            continue;
        }
        size_t end = i;
        while (end < text.size() &&
               (starts_name(text[end]) || std::isdigit(text[end]) || text[end] == '.')) {
            ++end;
        }
        const auto [entry, is_new] =
            order.emplace(text.substr(i, end - i), static_cast<int>(order.size()));
        result += '#' + std::to_string(entry->second);
        i = end;
    }
    return result;
}

// Visits producers first, in the order in which definitions name them, because Halide's own order
// depends on names.
class FuncWalk : public Halide::Internal::IRGraphVisitor {
public:
    std::vector<Halide::Internal::Function> order;

    void add(const Halide::Internal::Function &function) {
        if (!seen_.insert(function.name()).second) return;
        function.accept(this);
        for (const Halide::ExternFuncArgument &arg : function.extern_arguments()) {
            if (arg.is_func()) add(Halide::Internal::Function(arg.func));
        }
        order.push_back(function);
    }

private:
    using IRGraphVisitor::visit;
    void visit(const Halide::Internal::Call *call) override {
        if (call->func.defined()) add(Halide::Internal::Function(call->func));
        IRGraphVisitor::visit(call);
    }

    std::set<std::string> seen_;
};

std::string definition_text(const Halide::Internal::Function &function) {
    std::ostringstream text;
    const auto line = [&](const std::vector<Halide::Expr> &args,
                          const std::vector<Halide::Expr> &values) {
        text << "  " << function.name() << '(';
        for (size_t i = 0; i < args.size(); ++i) text << (i ? ", " : "") << args[i];
        text << ") =";
        for (const Halide::Expr &value : values) text << ' ' << value;
        text << '\n';
    };
    if (function.has_extern_definition()) {
        text << "  " << function.name() << " = extern " << function.extern_function_name() << '\n';
        return text.str();
    }
    line({function.definition().args()}, function.definition().values());
    for (const Halide::Internal::Definition &update : function.updates()) {
        line(update.args(), update.values());
        for (const auto &rvar : update.schedule().rvars()) {
            text << "    for " << rvar.var << " in [" << rvar.min << ", +" << rvar.extent << ")\n";
        }
        text << "    where " << update.predicate() << '\n';
    }
    return text.str();
}

template <typename T>
void fill(Halide::Buffer<> &image, const InputImage &input) {
    Halide::Buffer<T> pixels(image);
    pixels.for_each_element([&](const int *position) {
        Hasher hash(input.seed);
        for (int d = 0; d < pixels.dimensions(); ++d) {
            hash.add(static_cast<uint64_t>(static_cast<int64_t>(position[d])));
        }
        const auto draw = static_cast<int64_t>(hash.value() % static_cast<uint64_t>(input.values));
        if constexpr (std::is_floating_point_v<T>) {
            // Sixteenths, because sums and products of a few of them are exact.
            pixels(position) = static_cast<T>(draw) / 16;
        } else if constexpr (std::is_signed_v<T>) {
            pixels(position) = static_cast<T>(draw - input.values / 2);
        } else {
            pixels(position) = static_cast<T>(draw);
        }
    });
}

}  // namespace

Halide::Pipeline PipelineCase::pipeline() const {
    std::vector<Halide::Func> funcs;
    for (const OutputFunc &output : outputs) funcs.push_back(output.func);
    return Halide::Pipeline(funcs);
}

Layout allowed_layout(const Halide::Parameter &buffer, Layout wanted) {
    if (buffer.dimensions() < 2) return Layout::planar;
    const Halide::Expr stride = buffer.stride_constraint(0);
    if (!stride.defined()) return wanted;
    return Halide::Internal::is_const_one(stride) ? Layout::planar : Layout::interleaved;
}

std::vector<int> storage_order(int dimensions, Layout layout) {
    std::vector<int> order;
    for (int d = 0; d < dimensions; ++d) order.push_back(d);
    if (layout == Layout::interleaved && dimensions > 1) {
        std::rotate(order.begin(), order.end() - 1, order.end());
    }
    return order;
}

Halide::Buffer<> make_image(const InputImage &input, const Region &region, Layout layout) {
    std::vector<int> extents, mins;
    for (Span span : region) {
        extents.push_back(span.extent());
        mins.push_back(span.lo);
    }
    const Halide::Type type = input.param.type();
    const Layout allowed = allowed_layout(input.param.parameter(), layout);
    Halide::Buffer<> image(type, extents, storage_order(static_cast<int>(extents.size()), allowed));
    image.set_min(mins);
    if (type == Halide::UInt(8)) fill<uint8_t>(image, input);
    if (type == Halide::UInt(16)) fill<uint16_t>(image, input);
    if (type == Halide::UInt(32)) fill<uint32_t>(image, input);
    if (type == Halide::UInt(64)) fill<uint64_t>(image, input);
    if (type == Halide::Int(8)) fill<int8_t>(image, input);
    if (type == Halide::Int(16)) fill<int16_t>(image, input);
    if (type == Halide::Int(32)) fill<int32_t>(image, input);
    if (type == Halide::Int(64)) fill<int64_t>(image, input);
    if (type == Halide::Float(32)) fill<float>(image, input);
    if (type == Halide::Float(64)) fill<double>(image, input);
    return image;
}

void set_estimates(PipelineCase &pipeline_case) {
    for (InputImage &input : pipeline_case.inputs) {
        for (int d = 0; d < static_cast<int>(input.region.size()); ++d) {
            input.param.dim(d).set_estimate(input.region[d].lo, input.region[d].extent());
        }
    }
    for (OutputFunc &output : pipeline_case.outputs) {
        Halide::Region estimates;
        for (Span span : output.region) estimates.emplace_back(span.lo, span.extent());
        if (!estimates.empty()) output.func.set_estimates(estimates);
    }
}

std::string to_string(const Region &region) {
    std::string text = "[";
    for (size_t d = 0; d < region.size(); ++d) {
        if (d > 0) text += ", ";
        text += std::to_string(region[d].lo) + "+" + std::to_string(region[d].extent());
    }
    return text + "]";
}

void describe(PipelineCase &pipeline_case) {
    std::ostringstream text;
    for (const InputImage &input : pipeline_case.inputs) {
        text << "input " << input.param.name() << ": " << input.param.type() << ' '
             << to_string(input.region) << '\n';
    }
    std::vector<Halide::Internal::Function> roots;
    for (const OutputFunc &output : pipeline_case.outputs) {
        text << "output " << output.func.name() << ": " << to_string(output.region) << '\n';
        roots.push_back(output.func.function());
    }
    FuncWalk walk;
    for (const Halide::Internal::Function &root : roots) walk.add(root);
    for (const Halide::Internal::Function &function : walk.order) {
        text << definition_text(function);
    }
    for (const HandSchedule &schedule : pipeline_case.by_hand) {
        text << "by hand: " << schedule.func.name() << ' ' << to_string(schedule.form) << '\n';
    }
    pipeline_case.description = text.str();
    pipeline_case.checksum = Hasher().add(without_names(text.str())).value();
}

}  // namespace autoschedule_gpu::random_pipelines
