#include "halide/lower/part_of_pipeline.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "halide/apply/halide_error.h"

namespace autoschedule_gpu {
namespace {

namespace ir = Halide::Internal;

bool is_at_root(const ir::Function &function) {
    Halide::LoopLevel level = function.schedule().compute_level();
    level.lock();
    return level.is_root();
}

// A definition that reads nothing.
ir::Definition simple_definition(const ir::Function &function) {
    Halide::Expr sum = 0;
    for (const std::string &arg : function.args()) sum += Halide::Var(arg);
    std::vector<Halide::Expr> values;
    for (const Halide::Type &type : function.output_types()) {
        values.push_back(type.is_handle() ? ir::make_zero(type) : Halide::cast(type, sum));
    }
    ir::Function simple(function.name());
    simple.define(function.args(), values);
    return simple.definition();
}

// `schedule`: how it is stored.
void stand_in_for(ir::Function function, const ir::FuncSchedule &schedule) {
    function.update_with_deserialization(
        function.name(), function.origin_name(), function.output_types(), function.required_types(),
        function.required_dimensions(), function.args(), schedule, simple_definition(function),
        /*updates=*/{}, /*debug_file=*/"", function.output_buffers(),
        /*extern_arguments=*/{}, /*extern_function_name=*/"", Halide::NameMangling::Default,
        Halide::DeviceAPI::Host, /*extern_proxy_expr=*/Halide::Expr(), /*trace_loads=*/false,
        /*trace_stores=*/false, /*trace_realizations=*/false, /*trace_tags=*/{},
        /*no_profiling=*/false, function.frozen());
}

// Reads all of a Func, as other kernels did.
Halide::Func reader_of(const ir::Function &function, const KeptRoot &root) {
    const Halide::Func read(function);
    Halide::Func reader(function.name() + "_reader");
    const std::vector<Halide::Var> vars = read.args();
    std::vector<Halide::Expr> values;
    for (int i = 0; i < function.outputs(); ++i) {
        values.push_back(ir::Call::make(function, {vars.begin(), vars.end()}, i));
    }
    reader(vars) = Halide::Tuple(values);
    for (size_t d = 0; d < std::min(vars.size(), root.dims.size()); ++d) {
        const auto min = static_cast<int>(root.dims[d].min);
        const auto extent = static_cast<int>(root.dims[d].extent);
        if (root.dims[d].constant) {
            reader.bound(vars[d], min, extent);
        } else {
            reader.set_estimate(vars[d], min, extent);
        }
    }
    return reader;
}

class Part {
public:
    Part(const Halide::Pipeline &scheduled, const std::vector<Halide::Func> &funcs,
         std::span<const KeptRoot> kept)
        : kept_(kept) {
        for (const Halide::Func &output : scheduled.outputs()) outputs_.insert(output.name());
        for (const Halide::Func &func : funcs) {
            if (func.defined()) functions_.push_back(func.function());
        }
        for (const KeptRoot &root : kept) {
            roots_.push_back(funcs[static_cast<size_t>(root.func)].function());
        }
        for (const ir::Function &function : functions_) {
            if (is_out(function)) note_reads_of_kernel(function);
        }
    }

    Halide::Pipeline cut_out() {
        for (const ir::Function &function : functions_) replace_if_not_kept(function);
        for (const ir::Function &function : functions_) forget_wrappers(function);
        std::vector<Halide::Func> ends;
        for (size_t i = 0; i < roots_.size(); ++i) {
            if (outputs_.contains(roots_[i].name())) {
                ends.emplace_back(roots_[i]);
            } else if (!is_read_by_another(roots_[i]) ||
                       read_elsewhere_.contains(roots_[i].name())) {
                ends.push_back(reader_of(roots_[i], kept_[i]));
            }
        }
        return Halide::Pipeline(ends);
    }

private:
    bool is_kept(const ir::Function &function) const {
        return std::ranges::any_of(
            roots_, [&](const ir::Function &root) { return root.name() == function.name(); });
    }

    bool is_out(const ir::Function &function) const {
        return (is_at_root(function) || outputs_.contains(function.name())) && !is_kept(function);
    }

    // Of a wrapper that all read instead of a Func, that Func takes the place: Halide would look
    // for what the Func is computed from otherwise.
    void replace_if_not_kept(ir::Function function) {
        const auto &wrappers = function.schedule().wrappers();
        const auto all = wrappers.find("");
        if (all != wrappers.end() && is_out(ir::Function(all->second))) {
            ir::FuncSchedule stored = ir::Function(all->second).schedule();
            stand_in_for(function, stored);
        } else if (is_out(function)) {
            stand_in_for(function, function.schedule());
        } else {
            return;
        }
        replaced_.insert(function.name());
    }

    // What has been replaced reads nothing, and Halide refuses a wrapper that nobody reads.
    void forget_wrappers(ir::Function function) const {
        std::erase_if(function.schedule().wrappers(),
                      [&](const auto &entry) { return replaced_.contains(entry.first); });
    }

    // Of a kernel that is left out, through what is computed in it.
    void note_reads_of_kernel(const ir::Function &root) {
        std::vector<ir::Function> open{root};
        std::set<std::string> seen;
        while (!open.empty()) {
            const ir::Function reading = std::move(open.back());
            open.pop_back();
            for (const auto &[name, read] : ir::find_direct_calls(reading)) {
                if (!seen.insert(name).second) continue;
                const bool is_root = is_at_root(read) || outputs_.contains(name);
                if (is_root) read_elsewhere_.insert(name);
                if (!is_root) open.push_back(read);
            }
        }
    }

    bool is_read_by_another(const ir::Function &function) const {
        return std::ranges::any_of(roots_, [&](const ir::Function &other) {
            return other.name() != function.name() &&
                   ir::find_transitive_calls(other).contains(function.name());
        });
    }

    std::span<const KeptRoot> kept_;
    std::vector<ir::Function> functions_, roots_;
    std::set<std::string> outputs_, replaced_;
    // At root, by kernels that are left out: they may need more of it than those that are kept.
    std::set<std::string> read_elsewhere_;
};

}  // namespace

Result<Halide::Pipeline> part_of_pipeline(const Halide::Pipeline &scheduled,
                                          const std::vector<Halide::Func> &funcs,
                                          std::span<const KeptRoot> kept) {
    for (const KeptRoot &root : kept) {
        if (root.func >= 0 && static_cast<size_t>(root.func) < funcs.size() &&
            funcs[static_cast<size_t>(root.func)].defined()) {
            continue;
        }
        return Error{"there is no Func " + std::to_string(root.func)};
    }
    Halide::Pipeline part;
    if (auto why = halide_error([&] { part = Part(scheduled, funcs, kept).cut_out(); })) {
        return Error{*std::move(why)};
    }
    return part;
}

}  // namespace autoschedule_gpu
