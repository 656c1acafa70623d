#include "scheduler/schedule/size_sections.h"

#include <algorithm>
#include <string>

namespace autoschedule_gpu {
namespace {

const Func *find_output(const Dag &dag, int number) {
    const auto found = std::ranges::find_if(dag.funcs, [&](const Func &func) {
        return func.is_output() && func.halide_index == number;
    });
    return found == dag.funcs.end() ? nullptr : &*found;
}

const Func *find_input(const Dag &dag, const std::string &name) {
    const auto found = std::ranges::find_if(
        dag.funcs, [&](const Func &func) { return func.is_input() && func.name == name; });
    return found == dag.funcs.end() ? nullptr : &*found;
}

Status check_extent(const api::LeastExtent &one, const Dag &dag) {
    const Func *func = one.func < 0 ? find_input(dag, one.input) : find_output(dag, one.func);
    if (func == nullptr) {
        return Error{one.func < 0 ? "the pipeline has no input \"" + one.input + "\""
                                  : "Func " + std::to_string(one.func) + " is no output"};
    }
    const bool fits = one.dimension >= 0 && static_cast<size_t>(one.dimension) < func->dims.size();
    if (fits && one.least >= 1) return Ok{};
    return Error{func->name + " has " + std::to_string(func->dims.size()) +
                 " dimensions, counted from 0, and extents from 1 on"};
}

}  // namespace

std::vector<SizeSection> split_by_sizes(const Schedule &schedule) {
    std::vector<SizeSection> sections(1);
    for (size_t i = 0; i < schedule.size(); ++i) {
        if (!shape(schedule[i].op).sizes) {
            sections.back().schedule.push_back(schedule[i]);
            continue;
        }
        if (i > 0) sections.emplace_back();
        sections.back().extents = schedule[i].extents;
        sections.back().first = i + 1;
    }
    return sections;
}

Schedule joined_sections(const std::vector<SizeSection> &sections, const Dag &dag) {
    const auto output = std::ranges::find_if(dag.funcs, &Func::is_output);
    Schedule schedule;
    for (const SizeSection &section : sections) {
        Directive &begin = schedule.emplace_back();
        begin.op = DirectiveOp::for_sizes;
        begin.func = output->halide_index;
        begin.func_name = output->name;
        begin.extents = section.extents;
        schedule.insert(schedule.end(), section.schedule.begin(), section.schedule.end());
    }
    return schedule;
}

Status check_sections(const Schedule &schedule, const Dag &dag) {
    const auto is_begin = [](const Directive &directive) { return shape(directive.op).sizes; };
    if (std::ranges::none_of(schedule, is_begin)) return Ok{};
    if (Status can = can_have_sections(dag); !can) return can;
    size_t left = split_by_sizes(schedule).size();
    const bool several = left > 1;
    for (size_t i = 0; i < schedule.size(); ++i) {
        const auto refuse = [&](const std::string &why) {
            return Error{"directive " + std::to_string(i + 1) + ", " + describe(schedule[i]) +
                         ": " + why};
        };
        if (!is_begin(schedule[i])) {
            const bool of_output = find_output(dag, schedule[i].func) != nullptr;
            if (several && of_output && shape(schedule[i].op).factor) {
                return refuse("schedules for several sizes share the loops of an output's updates");
            }
            if (i == 0) return refuse("no schedule is begun, and others are later on");
            continue;
        }
        if (find_output(dag, schedule[i].func) == nullptr) {
            return refuse("it takes an output of the pipeline");
        }
        for (const api::LeastExtent &one : schedule[i].extents) {
            if (Status fits = check_extent(one, dag); !fits) return refuse(fits.error().message);
        }
        const bool is_last = --left == 0;
        if (is_last && !schedule[i].extents.empty()) {
            return refuse("the last schedule is for all other sizes and has no condition");
        }
        if (!is_last && schedule[i].extents.empty()) {
            return refuse("there is no size left for the schedules behind it");
        }
    }
    return Ok{};
}

Status can_have_sections(const Dag &dag) {
    for (const Func &func : dag.funcs) {
        if (!func.user_directives.empty()) {
            return Error{func.name +
                         " is scheduled by hand, so that there can be one schedule "
                         "only"};
        }
        // Which Funcs are computed while it runs follows from their names, which copies change.
        if (func.is_async) {
            return Error{func.name +
                         " is async, and beside an async Func there can be one schedule only"};
        }
        if (!func.is_output()) continue;
        if (func.stages.empty() || func.is_extern) {
            return Error{"the output " + func.name +
                         " is an extern stage, which can't have several schedules"};
        }
    }
    for (const Edge &edge : dag.edges) {
        const Func &producer = dag.func(edge.producer);
        if (producer.is_output()) {
            return Error{"the output " + producer.name +
                         " is read by another Func, so that there can be one schedule only"};
        }
    }
    return Ok{};
}

}  // namespace autoschedule_gpu
