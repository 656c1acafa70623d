#include "schedule/trace.h"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "support/hex.h"

namespace autoschedule_gpu {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFormat = "autoschedule_gpu.trace";
constexpr int64_t kMaxInt = std::numeric_limits<int32_t>::max();
// A trace nests five deep; a limit keeps hostile text from costing memory.
constexpr int kMaxDepth = 16;

std::optional<uint64_t> from_hex(std::string_view digits) {
    if (digits.size() != 16) return std::nullopt;
    uint64_t value = 0;
    for (char c : digits) {
        const size_t digit = std::string_view("0123456789abcdef").find(c);
        if (digit == std::string_view::npos) return std::nullopt;
        value = value << 4 | digit;
    }
    return value;
}

// ---- writing ----

Json loop_to_json(const LoopRef &loop) {
    Json json = Json::object();
    if (loop.is_original()) json["original"] = loop.original;
    json["name"] = loop.name;
    return json;
}

Json directive_to_json(const Directive &directive) {
    const DirectiveShape fields = shape(directive.op);
    Json json = Json::object();
    json["op"] = name(directive.op);
    json["func"] = directive.func;
    json["name"] = directive.func_name;
    if (!is_func_level(directive.op)) json["stage"] = directive.stage;
    if (fields.max_loops > 0) {
        Json loops = Json::array();
        for (const LoopRef &loop : directive.loops) loops.push_back(loop_to_json(loop));
        json["loops"] = std::move(loops);
    }
    if (fields.split) {
        json["factor"] = directive.factor;
        json["tail"] = name(directive.tail);
    }
    if (fields.memory) json["memory"] = name(directive.memory);
    if (fields.site) {
        json["site_func"] = directive.site_func;
        json["site_stage"] = directive.site_stage;
        json["site_loop"] = loop_to_json(directive.site_loop);
    }
    if (fields.wrapper) {
        json["wrapped_func"] = directive.wrapped_func;
        if (directive.reader_func >= 0) json["reader_func"] = directive.reader_func;
    }
    return json;
}

std::string dump(const Json &json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// ---- reading ----

// What is wrong, thrown inside this file only and caught in parse_trace.
struct Refusal {
    std::string message;
};

// Text of a value for a message, short whatever the value is.
std::string shown(const Json &json) {
    std::string text = dump(json);
    constexpr size_t kLongest = 60;
    if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
    return text;
}

// One JSON object that is read field by field; what is left over at the end is unknown.
class Fields {
public:
    Fields(const Json &json, std::string where) : json_(json), where_(std::move(where)) {
        if (!json.is_object()) expected("an object", json);
    }

    const Json *find(const char *key) {
        known_.insert(key);
        const auto it = json_.find(key);
        return it == json_.end() ? nullptr : &*it;
    }

    const Json &get(const char *key) {
        const Json *json = find(key);
        if (json == nullptr) {
            throw Refusal{where_ + ": expected the field \"" + key + "\", found none"};
        }
        return *json;
    }

    int64_t integer(const char *key, int64_t lo, int64_t hi) {
        const Json &json = get(key);
        const bool fits =
            json.is_number_unsigned()
                ? json.get<uint64_t>() <= static_cast<uint64_t>(hi) && json.get<int64_t>() >= lo
                : json.is_number_integer() && json.get<int64_t>() >= lo &&
                      json.get<int64_t>() <= hi;
        if (!fits) {
            expected("\"" + std::string(key) + "\" to be an integer in [" + std::to_string(lo) +
                         ", " + std::to_string(hi) + "]",
                     json);
        }
        return json.get<int64_t>();
    }

    std::string text(const char *key) {
        const Json &json = get(key);
        if (!json.is_string()) expected("\"" + std::string(key) + "\" to be a string", json);
        return json.get<std::string>();
    }

    // A string that must be a name of the list `names`.
    template <typename Enum>
    Enum choice(const char *key, std::optional<Enum> (*parse)(std::string_view), int count) {
        const Json &json = get(key);
        if (json.is_string()) {
            if (const auto found = parse(json.get_ref<const std::string &>())) return *found;
        }
        std::string names;
        for (int i = 0; i < count; ++i) {
            if (i > 0) names += ", ";
            names += name(static_cast<Enum>(i));
        }
        expected("\"" + std::string(key) + "\" to be one of " + names, json);
    }

    void finish() const {
        for (const auto &[key, value] : json_.items()) {
            if (!known_.contains(key)) {
                throw Refusal{where_ + ": found the unknown field " + shown(Json(key)) +
                              ", expected only " + list(known_)};
            }
        }
    }

    [[noreturn]] void expected(const std::string &what, const Json &found) const {
        throw Refusal{where_ + ": expected " + what + ", found " + shown(found)};
    }

private:
    static std::string list(const std::set<std::string> &keys) {
        std::string text;
        for (const std::string &key : keys) text += (text.empty() ? "" : ", ") + key;
        return text;
    }

    const Json &json_;
    std::string where_;
    std::set<std::string> known_;
};

LoopRef loop_from_json(const Json &json, const std::string &where) {
    Fields fields(json, where);
    LoopRef loop;
    if (fields.find("original") != nullptr) {
        loop.original = static_cast<int>(fields.integer("original", 0, kMaxInt));
    }
    loop.name = fields.text("name");
    fields.finish();
    return loop;
}

void read_loops(Fields &fields, const DirectiveShape &allowed, const std::string &where,
                Directive &directive) {
    const Json &loops = fields.get("loops");
    if (!loops.is_array()) fields.expected("\"loops\" to be an array", loops);
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

Directive directive_from_json(const Json &json, size_t index) {
    std::string where = "directive " + std::to_string(index + 1);
    Fields fields(json, where);
    Directive directive;
    directive.op = fields.choice<DirectiveOp>("op", directive_op, kDirectiveOps);
    where += std::string(" (") + std::string(name(directive.op)) + ")";
    const DirectiveShape used = shape(directive.op);
    directive.func = static_cast<int>(fields.integer("func", 0, kMaxInt));
    directive.func_name = fields.text("name");
    if (!is_func_level(directive.op)) {
        directive.stage = static_cast<int>(fields.integer("stage", 0, kMaxInt));
    }
    if (used.max_loops > 0) read_loops(fields, used, where, directive);
    if (used.split) {
        directive.factor = fields.integer("factor", 1, kMaxInt);
        directive.tail = fields.choice<TailStrategy>("tail", tail_strategy, kTailStrategies);
    }
    if (used.memory) {
        directive.memory = fields.choice<MemoryType>("memory", memory_type, kMemoryTypes);
    }
    if (used.site) {
        directive.site_func = static_cast<int>(fields.integer("site_func", 0, kMaxInt));
        directive.site_stage = static_cast<int>(fields.integer("site_stage", 0, kMaxInt));
        directive.site_loop = loop_from_json(fields.get("site_loop"), where + ", site_loop");
    }
    if (used.wrapper) {
        directive.wrapped_func = static_cast<int>(fields.integer("wrapped_func", 0, kMaxInt));
        if (fields.find("reader_func") != nullptr) {
            directive.reader_func = static_cast<int>(fields.integer("reader_func", 0, kMaxInt));
        }
    }
    fields.finish();
    return directive;
}

// JSON text to a tree; refuses what the library would let pass: repeated keys and deep nesting.
Json parse_json(std::string_view text) {
    std::vector<std::set<std::string>> keys;
    const auto strict = [&keys](int depth, Json::parse_event_t event, Json &parsed) {
        if (depth > kMaxDepth) {
            throw Refusal{"expected values nested at most " + std::to_string(kMaxDepth) +
                          " deep, found more"};
        }
        if (event == Json::parse_event_t::object_start) keys.emplace_back();
        if (event == Json::parse_event_t::object_end && !keys.empty()) keys.pop_back();
        if (event == Json::parse_event_t::key && !keys.empty() &&
            !keys.back().insert(parsed.get<std::string>()).second) {
            throw Refusal{"expected each field once, found " + shown(parsed) + " again"};
        }
        return true;
    };
    try {
        return Json::parse(text, strict);
    } catch (const Json::parse_error &error) {
        const size_t end = std::min(error.byte, text.size());
        const auto line = 1 + std::count(text.begin(), text.begin() + end, '\n');
        throw Refusal{"line " + std::to_string(line) +
                      ": expected JSON, found text that is none (" + error.what() + ")"};
    } catch (const Json::exception &error) {
        throw Refusal{std::string("expected JSON, found text that is none (") + error.what() + ")"};
    }
}

Trace trace_from_json(const Json &json) {
    Fields fields(json, "the trace");
    if (const std::string format = fields.text("format"); format != kFormat) {
        fields.expected("the format \"" + std::string(kFormat) + "\"", Json(format));
    }
    if (const int64_t version = fields.integer("version", 0, kMaxInt); version != kTraceVersion) {
        fields.expected("version " + std::to_string(kTraceVersion), Json(version));
    }
    Trace trace;
    const std::optional<uint64_t> hash = from_hex(fields.text("pipeline"));
    if (!hash) {
        fields.expected("\"pipeline\" to be 16 lower-case hexadecimal digits",
                        fields.get("pipeline"));
    }
    trace.pipeline_hash = *hash;
    if (fields.find("producer") != nullptr) trace.producer = fields.text("producer");
    const Json &directives = fields.get("directives");
    if (!directives.is_array()) fields.expected("\"directives\" to be an array", directives);
    for (const Json &directive : directives) {
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
