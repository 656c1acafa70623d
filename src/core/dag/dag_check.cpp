// check(Dag) verifies the promises of dag.h, with one function for each table.
#include <algorithm>
#include <set>

#include "core/dag/dag.h"

namespace autoschedule_gpu {
namespace {

class Checker {
public:
    explicit Checker(const Dag &dag) : dag_(dag) {}

    std::vector<std::string> run() {
        if (!ids_in_range()) return std::move(found_);
        for (size_t f = 0; f < dag_.funcs.size(); f++) check_func(FuncId(f));
        for (size_t s = 0; s < dag_.stages.size(); s++) check_stage(StageId(s));
        for (size_t e = 0; e < dag_.edges.size(); e++) check_edge(EdgeId(e));
        check_consumers();
        return std::move(found_);
    }

private:
    void expect(bool holds, const std::string &sentence) {
        if (!holds) found_.push_back(sentence);
    }

    template <typename Id, typename Table>
    bool in_range(Id id, const Table &table) const {
        return id.valid() && id.index() < table.size();
    }

    // Returns true if all ids are in range; the other checks may then follow ids without looking.
    bool ids_in_range() {
        for (const Func &func : dag_.funcs) {
            for (StageId id : func.stages) {
                expect(in_range(id, dag_.stages), func.name + " lists a stage that does not exist");
            }
        }
        for (const Stage &stage : dag_.stages) {
            expect(in_range(stage.func, dag_.funcs), "a stage belongs to no Func");
            for (EdgeId id : stage.edges) {
                expect(in_range(id, dag_.edges), "a stage lists an edge that does not exist");
            }
            for (const Load &load : stage.loads) {
                expect(in_range(load.producer, dag_.funcs), "a load reads no Func");
            }
        }
        for (const Edge &edge : dag_.edges) {
            expect(in_range(edge.consumer, dag_.stages), "an edge has no consumer");
            expect(in_range(edge.producer, dag_.funcs), "an edge has no producer");
        }
        return found_.empty();
    }

    void check_func(FuncId id) {
        const Func &func = dag_.func(id);
        expect(!func.name.empty(), "Func " + std::to_string(id.index()) + " has no name");
        expect(!func.values.empty(), func.name + " has no value type");
        expect(func.is_input() == func.stages.empty(),
               func.name + ": input images, and only they, have no stages");
        expect(func.is_input() == (func.halide_index < 0),
               func.name + ": input images, and only they, have no Halide index");
        expect(!(func.can_inline &&
                 (func.is_output() || func.on_host() || func.stages.size() > 1 || func.is_input())),
               func.name + " cannot be inline: output, input, on the host, or has updates");
        expect(!func.must_inline || func.can_inline, func.name + " must be inline but cannot be");
        for (size_t s = 0; s < func.stages.size(); s++) {
            const Stage &stage = dag_.stage(func.stages[s]);
            expect(stage.func == id && stage.index == static_cast<int>(s),
                   func.name + ": stage " + std::to_string(s) + " is out of place");
        }
        check_program(func.computed, func.dims.size(), func.dims.size(),
                      func.name + ": the program of the region computed");
    }

    void check_program(RegionProgramId id, size_t inputs, size_t outputs, const std::string &what) {
        if (!in_range(id, dag_.regions)) {
            expect(false, what + " does not exist");
            return;
        }
        expect(dag_.regions.inputs(id) == inputs && dag_.regions.outputs(id) == outputs,
               what + " has " + std::to_string(dag_.regions.inputs(id)) + " inputs and " +
                   std::to_string(dag_.regions.outputs(id)) + " outputs instead of " +
                   std::to_string(inputs) + " and " + std::to_string(outputs));
    }

    void check_stage(StageId id) {
        const Stage &stage = dag_.stage(id);
        const Func &func = dag_.func(stage.func);
        const std::string name = stage_name(dag_, id);
        const bool listed = stage.index >= 0 &&
                            static_cast<size_t>(stage.index) < func.stages.size() &&
                            func.stages[stage.index] == id;
        expect(listed, name + " is not in its Func's list of stages");
        std::set<int> dims;
        for (const Loop &loop : stage.loops) check_loop(loop, func, name, dims);
        expect(stage.index > 0 || dims.size() == func.dims.size(),
               name + ": a pure definition loops over every dimension");
        check_matrix(stage.store, func.dims.size(), stage, name + ": the store");
        expect(stage.atomics == Atomics::no || (stage.index > 0 && func.values.size() == 1),
               name + ": atomics are for updates of one value");
        expect(stage.partials == Partials::no || stage.index > 0,
               name + ": only updates have partial results");
        std::set<FuncId> read, linked;
        for (const Load &load : stage.loads) {
            const Func &producer = dag_.func(load.producer);
            check_matrix(load.access, producer.dims.size(), stage,
                         name + ": the load of " + producer.name);
            expect(load.count > 0 && load.bytes_per_site > 0,
                   name + ": the load of " + producer.name + " is of nothing");
            if (load.producer != stage.func) read.insert(load.producer);
        }
        for (EdgeId edge : stage.edges) {
            expect(dag_.edge(edge).consumer == id, name + " lists an edge of another stage");
            expect(linked.insert(dag_.edge(edge).producer).second,
                   name + " has two edges to " + dag_.func(dag_.edge(edge).producer).name);
        }
        expect(read == linked, name + ": loads and edges name different Funcs");
    }

    void check_loop(const Loop &loop, const Func &func, const std::string &stage,
                    std::set<int> &dims) {
        if (loop.kind == Loop::Kind::pure) {
            expect(loop.dim >= 0 && static_cast<size_t>(loop.dim) < func.dims.size() &&
                       dims.insert(loop.dim).second,
                   stage + ": loop " + loop.name + " has no dimension of its own");
            expect(loop.parallel && !loop.constant,
                   stage + ": pure loop " + loop.name + " is parallel and has no fixed range");
        } else {
            expect(loop.dim == -1, stage + ": reduction loop " + loop.name + " has a dimension");
        }
    }

    // A stage without loops has no columns to compare.
    void check_matrix(const AccessMatrix &matrix, size_t dims, const Stage &stage,
                      const std::string &what) {
        if (stage.loops.empty()) return;
        const bool fits =
            matrix.dims() == dims && (dims == 0 || matrix.loops() == stage.loops.size());
        expect(fits, what + " has a matrix of another shape than dimensions x loops");
    }

    void check_edge(EdgeId id) {
        const Edge &edge = dag_.edge(id);
        const Stage &stage = dag_.stage(edge.consumer);
        const Func &producer = dag_.func(edge.producer);
        const std::string what =
            "the edge from " + producer.name + " to " + stage_name(dag_, edge.consumer);
        expect(edge.producer < stage.func, what + " runs against the order of the Funcs");
        expect(std::count(stage.edges.begin(), stage.edges.end(), id) == 1,
               what + " is not listed by its stage");
        check_program(edge.region, stage.loops.size(), producer.dims.size(),
                      what + ": its region program");
    }

    void check_consumers() {
        Dag linked;
        linked.funcs.resize(dag_.funcs.size());
        linked.edges = dag_.edges;
        link_consumers(linked);
        expect(linked.consumers == dag_.consumers, "the lists of consumers are not up to date");
    }

    const Dag &dag_;
    std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> check(const Dag &dag) {
    return Checker(dag).run();
}

}  // namespace autoschedule_gpu
