#include "scheduler/schedule/trace.h"

#include <utility>

#include "core/json/strict_json.h"
#include "core/support/hex.h"

namespace autoschedule_gpu {
namespace {

constexpr std::string_view kFormat = "autoschedule_gpu.trace";

// ---- writing ----

Json loop_to_json(const LoopRef &loop) {
    Json json = Json::object();
    if (loop.is_original()) json["original"] = loop.original;
    json["name"] = loop.name;
    return json;
}

Json pixels_to_json(const api::PixelBuffer &buffer) {
    Json json = Json::object();
    if (buffer.func >= 0) json["func"] = buffer.func;
    if (buffer.func < 0) json["input"] = buffer.input;
    json["dimensions"] = buffer.dimensions;
    json["pixels"] = buffer.pixels;
    if (buffer.channels >= 0) json["channels"] = buffer.channels;
    json["step"] = buffer.step;
    return json;
}

Json input_to_json(const api::InputBuffer &input) {
    return {{"name", input.name}, {"dimensions", input.dimensions}};
}

Json extent_to_json(const api::LeastExtent &extent) {
    Json json = Json::object();
    if (extent.func >= 0) json["func"] = extent.func;
    if (extent.func < 0) json["input"] = extent.input;
    json["dimension"] = extent.dimension;
    json["least"] = extent.least;
    return json;
}

template <typename T>
Json list_to_json(const std::vector<T> &list, Json (*write)(const T &)) {
    Json json = Json::array();
    for (const T &one : list) json.push_back(write(one));
    return json;
}

Json directive_to_json(const Directive &directive) {
    const DirectiveShape fields = shape(directive.op);
    Json json = Json::object();
    json["op"] = to_string(directive.op);
    json["func"] = directive.func;
    json["name"] = directive.func_name;
    if (!is_func_level(directive.op)) json["stage"] = directive.stage;
    if (directive.branch != Branch::otherwise) json["branch"] = to_string(directive.branch);
    if (fields.min_loops > 0 || !directive.loops.empty()) {
        json["loops"] = list_to_json(directive.loops, loop_to_json);
    }
    if (fields.split) {
        json["factor"] = directive.factor;
        json["tail"] = to_string(directive.tail);
    }
    if (fields.dimension || fields.steps) json["factor"] = directive.factor;
    if (fields.memory) json["memory"] = to_string(directive.memory);
    if (fields.site) {
        json["site_func"] = directive.site_func;
        json["site_stage"] = directive.site_stage;
        json["site_loop"] = loop_to_json(directive.site_loop);
    }
    if (fields.extents) {
        json["site_func"] = directive.site_func;
        json["least"] = directive.least;
        json["most"] = directive.most;
    }
    if (fields.aligned) {
        if (directive.site_func >= 0) json["site_func"] = directive.site_func;
        json["inputs"] = list_to_json(directive.inputs, input_to_json);
    }
    if (fields.multiples) {
        json["site_func"] = directive.site_func;
        json["multiples"] = directive.multiples;
    }
    if (fields.sizes) json["extents"] = list_to_json(directive.extents, extent_to_json);
    if (fields.pixels) {
        json["factor"] = directive.factor;
        json["buffers"] = list_to_json(directive.buffers, pixels_to_json);
    }
    if (fields.wrapper) {
        json["wrapped_func"] = directive.wrapped_func;
        if (directive.reader_func >= 0) json["reader_func"] = directive.reader_func;
    }
    if (fields.factor) json["made_func"] = directive.made_func;
    return json;
}

// ---- reading ----

LoopRef loop_from_json(const Json &json, const std::string &where) {
    Fields fields(json, where);
    LoopRef loop;
    if (fields.find("original") != nullptr) {
        loop.original = static_cast<int>(fields.integer("original", 0, kMaxJsonInt));
    }
    loop.name = fields.text("name");
    fields.finish();
    return loop;
}

void read_loops(Fields &fields, const DirectiveShape &allowed, const std::string &where,
                Directive &directive) {
    const Json &loops = fields.array("loops");
    if (loops.size() < allowed.min_loops || loops.size() > allowed.max_loops) {
        throw Refusal{where + ": expected from " + std::to_string(allowed.min_loops) + " to " +
                      std::to_string(allowed.max_loops) + " loops, found " +
                      std::to_string(loops.size())};
    }
    for (const Json &loop : loops) {
        directive.loops.push_back(
            loop_from_json(loop, where + ", loop " + std::to_string(directive.loops.size() + 1)));
    }
}

// The other branch has no name: a directive without one belongs to it.
Branch branch_from_json(Fields &fields, const std::string &where) {
    if (fields.find("branch") == nullptr) return Branch::otherwise;
    const std::string name = fields.text("branch");
    for (const Branch branch : {Branch::full_tiles, Branch::aligned}) {
        if (name == to_string(branch)) return branch;
    }
    throw Refusal{where + ", branch: expected \"full_tiles\" or \"aligned\", found \"" + name +
                  "\""};
}

std::vector<int64_t> extents_from_json(Fields &fields, const char *name, const std::string &where) {
    std::vector<int64_t> extents;
    for (const Json &extent : fields.array(name)) {
        const bool fits = extent.is_number_integer() && extent >= 0 && extent <= kMaxJsonInt;
        if (!fits || extents.size() == kMaxDimensions) {
            throw Refusal{where + ", " + name + ": expected at most " +
                          std::to_string(kMaxDimensions) + " integers from 0 on, found " +
                          dump(extent)};
        }
        extents.push_back(extent.get<int64_t>());
    }
    return extents;
}

void read_extents(Fields &fields, const std::string &where, Directive &directive) {
    directive.site_func = static_cast<int>(fields.integer("site_func", 0, kMaxJsonInt));
    directive.least = extents_from_json(fields, "least", where);
    directive.most = extents_from_json(fields, "most", where);
}

void read_aligned(Fields &fields, const std::string &where, Directive &directive) {
    const bool may_lack = directive.op == DirectiveOp::specialize_aligned;
    if (!may_lack || fields.find("site_func") != nullptr) {
        directive.site_func = static_cast<int>(fields.integer("site_func", 0, kMaxJsonInt));
    }
    for (const Json &json : fields.array("inputs")) {
        Fields input(json, where + ", input " + std::to_string(directive.inputs.size() + 1));
        api::InputBuffer buffer;
        buffer.name = input.text("name");
        buffer.dimensions = static_cast<int>(input.integer("dimensions", 1, kMaxDimensions));
        input.finish();
        directive.inputs.push_back(std::move(buffer));
    }
}

void read_sizes(Fields &fields, const std::string &where, Directive &directive) {
    for (const Json &json : fields.array("extents")) {
        Fields extent(json, where + ", extent " + std::to_string(directive.extents.size() + 1));
        api::LeastExtent one;
        if (extent.find("func") != nullptr) {
            one.func = static_cast<int>(extent.integer("func", 0, kMaxJsonInt));
        } else {
            one.input = extent.text("input");
        }
        one.dimension = static_cast<int>(extent.integer("dimension", 0, kMaxDimensions - 1));
        one.least = extent.integer("least", 1, kMaxJsonInt);
        extent.finish();
        directive.extents.push_back(std::move(one));
    }
}

void read_pixels(Fields &fields, const std::string &where, Directive &directive) {
    directive.factor = fields.integer("factor", 2, kMaxPixelVector);
    for (const Json &json : fields.array("buffers")) {
        Fields buffer(json, where + ", buffer " + std::to_string(directive.buffers.size() + 1));
        api::PixelBuffer one;
        if (buffer.find("func") != nullptr) {
            one.func = static_cast<int>(buffer.integer("func", 0, kMaxJsonInt));
        } else {
            one.input = buffer.text("input");
        }
        one.dimensions = static_cast<int>(buffer.integer("dimensions", 1, kMaxDimensions));
        one.pixels = static_cast<int>(buffer.integer("pixels", 0, one.dimensions - 1));
        if (buffer.find("channels") != nullptr) {
            one.channels = static_cast<int>(buffer.integer("channels", 0, one.dimensions - 1));
        }
        one.step = buffer.integer("step", 1, kMaxJsonInt);
        buffer.finish();
        directive.buffers.push_back(std::move(one));
    }
}

Directive directive_from_json(const Json &json, size_t index) {
    std::string where = "directive " + std::to_string(index + 1);
    Fields fields(json, where);
    Directive directive;
    directive.op = fields.choice<DirectiveOp>("op", parse_directive_op, kDirectiveOps);
    where += std::string(" (") + std::string(to_string(directive.op)) + ")";
    const DirectiveShape used = shape(directive.op);
    directive.func = static_cast<int>(fields.integer("func", 0, kMaxJsonInt));
    directive.func_name = fields.text("name");
    if (!is_func_level(directive.op)) {
        directive.stage = static_cast<int>(fields.integer("stage", 0, kMaxJsonInt));
        directive.branch = branch_from_json(fields, where);
    }
    if (used.extents) read_extents(fields, where, directive);
    if (used.aligned) read_aligned(fields, where, directive);
    if (used.sizes) read_sizes(fields, where, directive);
    if (used.pixels) read_pixels(fields, where, directive);
    if (used.multiples) {
        directive.site_func = static_cast<int>(fields.integer("site_func", 0, kMaxJsonInt));
        directive.multiples = extents_from_json(fields, "multiples", where);
    }
    const bool may_have_loops = used.max_loops > 0;
    if (may_have_loops && (used.min_loops > 0 || fields.find("loops") != nullptr)) {
        read_loops(fields, used, where, directive);
    }
    if (used.split) {
        directive.factor = fields.integer("factor", 1, kMaxJsonInt);
        directive.tail = fields.choice<TailStrategy>("tail", parse_tail_strategy, kTailStrategies);
    }
    if (used.dimension || used.steps) {
        directive.factor = fields.integer("factor", 1, kMaxJsonInt);
    }
    if (used.memory) {
        directive.memory =
            fields.choice<MemoryKind>("memory", parse_memory_kind, kStorableMemoryKinds);
    }
    if (used.site) {
        directive.site_func = static_cast<int>(fields.integer("site_func", 0, kMaxJsonInt));
        directive.site_stage = static_cast<int>(fields.integer("site_stage", 0, kMaxJsonInt));
        directive.site_loop = loop_from_json(fields.get("site_loop"), where + ", site_loop");
    }
    if (used.wrapper) {
        directive.wrapped_func = static_cast<int>(fields.integer("wrapped_func", 0, kMaxJsonInt));
        if (fields.find("reader_func") != nullptr) {
            directive.reader_func = static_cast<int>(fields.integer("reader_func", 0, kMaxJsonInt));
        }
    }
    if (used.factor) {
        directive.made_func = static_cast<int>(fields.integer("made_func", 0, kMaxJsonInt));
    }
    fields.finish();
    return directive;
}

Trace trace_from_json(const Json &json) {
    Fields fields(json, "the trace");
    fields.format(kFormat, kTraceVersion);
    Trace trace;
    trace.pipeline_hash = fields.hash("pipeline");
    if (fields.find("producer") != nullptr) trace.producer = fields.text("producer");
    for (const Json &directive : fields.array("directives")) {
        trace.schedule.push_back(directive_from_json(directive, trace.schedule.size()));
    }
    fields.finish();
    return trace;
}

}  // namespace

std::string to_json(const Trace &trace) {
    std::string text = "{\n  \"format\": " + dump(kFormat) +
                       ",\n  \"version\": " + std::to_string(kTraceVersion) +
                       ",\n  \"pipeline\": \"" + to_hex(trace.pipeline_hash) + "\"";
    if (!trace.producer.empty()) text += ",\n  \"producer\": " + dump(trace.producer);
    text += ",\n  \"directives\": [";
    for (size_t i = 0; i < trace.schedule.size(); ++i) {
        text += (i == 0 ? "\n    " : ",\n    ") + dump(directive_to_json(trace.schedule[i]));
    }
    return text + (trace.schedule.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

std::string to_json(const Schedule &schedule, uint64_t dag_hash) {
    return to_json(Trace{schedule, dag_hash, ""});
}

Result<Trace> parse_trace(std::string_view json) {
    try {
        return trace_from_json(parse_json(json));
    } catch (const Refusal &refusal) {
        return Error{"bad schedule trace: " + refusal.message};
    }
}

Result<Schedule> from_json(std::string_view json) {
    Result<Trace> trace = parse_trace(json);
    if (!trace) return trace.error();
    return std::move(trace).value().schedule;
}

}  // namespace autoschedule_gpu
