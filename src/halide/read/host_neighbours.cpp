#include "halide/read/host_neighbours.h"

#include <algorithm>

#include "halide/read/target_api.h"

namespace autoschedule_gpu::reading {
namespace {

// Whether the extern stage is one of the GPU's API: it takes its inputs where kernels leave them.
bool takes_device_data(const Halide::Internal::Function &stage, const Halide::Target &target) {
    const Halide::DeviceAPI api = stage.extern_function_device_api();
    return api == Halide::DeviceAPI::Default_GPU ||
           (gpu_api(target) && api == Halide::get_default_device_api_for_target(target));
}

class HostNeighbours {
public:
    HostNeighbours(const std::vector<std::string> &order, const Halide::Target &target, Dag &dag)
        : order_(order), target_(target), dag_(dag) {}

    void keep_those_of(FuncId id, const SourceFunc &source) {
        const Halide::Internal::Function &function = *source.function;
        if (function.has_extern_definition() && !takes_device_data(function, target_)) {
            for (EdgeId edge : dag_.stage(dag_.func(id).stages[0]).edges) {
                keep(dag_.edge(edge).producer, "is read by the extern stage " + dag_.func(id).name);
            }
        }
        if (function.schedule().memoized()) {
            keep_readers(id, "which is memoized");
        } else if (function.schedule().async()) {
            keep_beside_async(id);
            keep_readers(id, "which is async");
        } else if (source.unreadable) {
            keep_readers(id, "which no kernel can load");
        } else if (function.is_tracing_loads()) {
            keep_readers(id, "which is traced");
        }
    }

private:
    void keep(FuncId id, const std::string &reason) {
        Func &func = dag_.funcs[id.index()];
        if (func.is_input() || func.on_host() || func.must_inline) return;
        func.host_reason = reason;
        func.can_inline = false;
    }

    // What must be inlined reads where it is inlined.
    void keep_readers(FuncId id, const std::string &why) {
        std::vector<FuncId> read{id};
        while (!read.empty()) {
            const FuncId next = read.back();
            read.pop_back();
            for (EdgeId edge : dag_.consumers[next.index()]) {
                const FuncId reader = dag_.stage(dag_.edge(edge).consumer).func;
                if (dag_.func(reader).must_inline) read.push_back(reader);
                keep(reader, "reads " + dag_.func(id).name + ", " + why);
            }
        }
    }

    // Halide forgets the copies, from kernels to the host and back, of what is computed after an
    // async Func has begun and before anybody waits for it.
    void keep_beside_async(FuncId async) {
        const size_t begin = position(async), end = first_reader(async);
        for (size_t f = 0; f < dag_.funcs.size(); f++) {
            const FuncId id(f);
            if (dag_.func(id).is_input() || dag_.func(id).must_inline) continue;
            const size_t at = position(id);
            if (at <= begin || at >= end) continue;
            const std::string why =
                "is computed beside " + dag_.func(async).name + ", which is async";
            keep(id, why);
            keep_readers(id, "which " + why);
        }
    }

    size_t position(FuncId id) const {
        const auto at = std::find(order_.begin(), order_.end(), dag_.func(id).name);
        return static_cast<size_t>(at - order_.begin());
    }

    // Its position. What is inlined reads where it is inlined.
    size_t first_reader(FuncId id) const {
        size_t first = order_.size();
        for (EdgeId edge : dag_.consumers[id.index()]) {
            const FuncId reader = dag_.stage(dag_.edge(edge).consumer).func;
            if (reader == id) continue;
            const bool is_inlined = dag_.func(reader).must_inline;
            first = std::min(first, is_inlined ? first_reader(reader) : position(reader));
        }
        return first;
    }

    const std::vector<std::string> &order_;
    const Halide::Target &target_;
    Dag &dag_;
};

}  // namespace

void keep_neighbours_on_host(const std::vector<SourceFunc> &sources,
                             const std::vector<std::string> &order, const Halide::Target &target,
                             Dag &dag) {
    HostNeighbours neighbours(order, target, dag);
    for (size_t f = 0; f < sources.size(); f++) {
        if (sources[f].function) neighbours.keep_those_of(FuncId(f), sources[f]);
    }
}

}  // namespace autoschedule_gpu::reading
