// What Halide makes of a pipeline scheduled by hand, as the tests of src/halide/README.md look at
// it: refused, lowered, or run on OpenCL (through PoCL). Nothing of this project is used here, so
// that a fact can't be hidden by what the project does about it.
#pragma once

#include <Halide.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace autoschedule_gpu::test {

namespace ir = Halide::Internal;

inline const Halide::Target kOpenCl("x86-64-linux-opencl");
inline const Halide::Target kCuda("x86-64-linux-cuda-cuda_capability_80");
inline const Halide::Target kHost("x86-64-linux");

// nullopt: known at run time only.
using Size = std::optional<int64_t>;

struct Launch {
    std::string kernel;
    std::array<Size, 3> blocks, threads;
    Size shared_bytes;
};

struct Lowered {
    std::string loops;  // the statement in which kernels are still loops
    std::vector<Launch> launches;
    std::string device_code;  // PTX, or the text that the driver compiles
};

// Finds the launches in host code and the values of their sizes by way of the lets around them.
class LaunchFinder : public ir::IRVisitor {
public:
    std::vector<Launch> launches;

protected:
    using IRVisitor::visit;

    void visit(const ir::LetStmt *op) override {
        lets_[op->name] = op->value;
        IRVisitor::visit(op);
    }
    void visit(const ir::Let *op) override {
        lets_[op->name] = op->value;
        IRVisitor::visit(op);
    }
    void visit(const ir::Call *op) override {
        if (op->name.ends_with("cuda_run") || op->name.ends_with("opencl_run")) note(*op);
        IRVisitor::visit(op);
    }

private:
    // Module state, name, blocks, threads, bytes of shared memory, and then the arguments.
    void note(const ir::Call &call) {
        Launch &launch = launches.emplace_back();
        if (const auto *name = call.args[1].as<ir::StringImm>()) launch.kernel = name->value;
        for (size_t i = 0; i < 3; ++i) launch.blocks[i] = value(call.args[2 + i]);
        for (size_t i = 0; i < 3; ++i) launch.threads[i] = value(call.args[5 + i]);
        launch.shared_bytes = value(call.args[8]);
    }

    Size value(Halide::Expr expr) const {
        for (int depth = 0; depth < 8; ++depth) expr = ir::substitute(lets_, expr);
        const auto constant = ir::as_const_int(ir::simplify(expr));
        return constant ? Size(*constant) : std::nullopt;
    }

    std::map<std::string, Halide::Expr> lets_;
};

inline std::string text_of_device_code(const Halide::Module &module) {
    const Halide::Buffer<> code = module.get_device_code_buffer();
    if (!code.defined()) return "";
    const std::string_view bytes(static_cast<const char *>(code.data()), code.size_in_bytes());
    return std::string(bytes.substr(0, bytes.find('\0')));
}

// Halide numbers names that a process uses again ("out$3"), as these tests do.
inline std::string without_counters(const std::string &text) {
    return std::regex_replace(text, std::regex("\\$[0-9]+"), "");
}

inline Lowered lower_or_throw(const Halide::Pipeline &given, const Halide::Target &target) {
    Halide::Pipeline pipeline(given.outputs());  // to which the pass may stay attached
    struct Watch : ir::IRMutator {
        std::ostringstream text;
        using IRMutator::mutate;
        ir::Stmt mutate(const ir::Stmt &stmt) override {
            text << stmt;
            return stmt;
        }
    } watch;
    pipeline.add_custom_lowering_pass(&watch, nullptr);
    const Halide::Module module =
        pipeline.compile_to_module(pipeline.infer_arguments(), "facts", target);
    LaunchFinder finder;
    for (const ir::LoweredFunc &function : module.functions()) function.body.accept(&finder);
    return {without_counters(watch.text.str()), finder.launches, text_of_device_code(module)};
}

// "CompileError: TEXT", "InternalError: TEXT", "RuntimeError: TEXT", or "fine".
template <typename Body>
std::string complaint(const Body &body) {
    const auto text = [](const std::string &kind, const Halide::Error &error) {
        return kind + without_counters(error.what());
    };
    try {
        body();
        return "fine";
    } catch (const Halide::CompileError &error) {
        return text("CompileError: ", error);
    } catch (const Halide::InternalError &error) {
        return text("InternalError: ", error);
    } catch (const Halide::RuntimeError &error) {
        return text("RuntimeError: ", error);
    }
}

inline std::string refusal(const Halide::Pipeline &pipeline,
                           const Halide::Target &target = kOpenCl) {
    return complaint([&] { lower_or_throw(pipeline, target); });
}

// Halide's exceptions are not standard ones, of which GoogleTest would print the text.
inline Lowered lower(const Halide::Pipeline &pipeline, const Halide::Target &target = kOpenCl) {
    Lowered lowered;
    const std::string why = complaint([&] { lowered = lower_or_throw(pipeline, target); });
    if (why != "fine") throw std::runtime_error(why);
    return lowered;
}

inline testing::AssertionResult says(const std::string &text, std::string_view part) {
    if (text.find(part) != text.npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "no \"" << part << "\" in\n" << text;
}

inline int count(std::string_view text, std::string_view part) {
    int found = 0;
    for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
    return found;
}

inline Halide::Target jit_target() {
    return Halide::get_jit_target_from_environment().with_feature(Halide::Target::OpenCL);
}

inline Halide::Target jit_host() {
    return Halide::get_jit_target_from_environment();
}

// The output of width x height points.
inline std::vector<int> run(Halide::Func func, int width, int height,
                            const Halide::Target &target) {
    Halide::Buffer<int> out(width, height);
    func.realize(out, target);
    out.copy_to_host();
    return {out.begin(), out.end()};
}

// A Func and a second one that reads two neighbours of each point of it in x.
struct Pair {
    Halide::Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"};
    Halide::Func in{"in"}, out{"out"};

    Pair() {
        in(x, y) = x * x + 3 * y + 1;
        out(x, y) = in(x, y) + in(x + 1, y);
    }

    // Blocks of 16 x 8 threads.
    Pair &tiled(Halide::TailStrategy tail = Halide::TailStrategy::ShiftInwards) {
        out.compute_root().gpu_tile(x, y, xo, yo, xi, yi, 16, 8, tail);
        return *this;
    }
    // The block stages what it reads.
    Pair &staged() {
        in.compute_at(out, xo).gpu_threads(x, y);
        return *this;
    }
};

}  // namespace autoschedule_gpu::test
