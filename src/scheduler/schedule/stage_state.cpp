#include "scheduler/schedule/stage_state.h"

#include <utility>

#include "scheduler/schedule/ascii.h"

namespace autoschedule_gpu {
namespace {

// Halide reads dots and dollars in the names of loops as its own.
bool is_identifier(const std::string &name) {
    const auto is_legal = [](char c) { return is_letter_or_digit(c) || c == '_'; };
    return !name.empty() && !is_digit(name.front()) && std::ranges::all_of(name, is_legal);
}

bool is_mark(DirectiveOp op) {
    return op == DirectiveOp::unroll || op == DirectiveOp::vectorize ||
           op == DirectiveOp::gpu_blocks || op == DirectiveOp::gpu_threads ||
           op == DirectiveOp::parallel;
}

}  // namespace

Complaint StageState::make(const LoopRef &loop, Loop::Kind kind) {
    if (loop.is_original()) {
        return "the loops that it makes need names, " + shown(loop) + " is the stage's own";
    }
    if (!is_identifier(loop.name)) {
        return shown(loop) + " can't name a loop: letters, digits and _ only";
    }
    if (!names_.insert(loop.name).second) {
        return shown(loop) + " is already the name of a loop of this stage";
    }
    live_.push_back({loop, std::nullopt, kind});
    return std::nullopt;
}

std::variant<StageState, std::string> StageState::take_out(const Directive &rfactor) {
    const size_t count = rfactor.loops.size() / 2;
    if (stage_->partials == Partials::no) return "its partial results can't be put together";
    StageState made = *this;
    for (size_t i = 0; i < count; ++i) {
        const LiveLoop *live = find(rfactor.loops[i]);
        if (live == nullptr) return missing(rfactor.loops[i]);
        if (live->kind != Loop::Kind::reduction) {
            return shown(rfactor.loops[i]) + " is no loop of the reduction";
        }
        LiveLoop *other = made.find(rfactor.loops[i]);
        if (other == nullptr) return shown(rfactor.loops[i]) + " is named twice";
        made.live_.erase(made.live_.begin() + (other - made.live_.data()));
        if (auto why = made.make(rfactor.loops[count + i], Loop::Kind::pure)) return *why;
    }
    std::erase_if(live_, [&](const LiveLoop &live) {
        const auto end = rfactor.loops.begin() + static_cast<std::ptrdiff_t>(count);
        return live.kind == Loop::Kind::reduction &&
               std::find(rfactor.loops.begin(), end, live.loop) == end;
    });
    return made;
}

// split, fuse: the first `old_count` loops go, the others come.
Complaint StageState::consume(const Directive &directive, size_t old_count) {
    Loop::Kind kind = Loop::Kind::pure;
    for (size_t i = 0; i < old_count; ++i) {
        const LoopRef &old = directive.loops[i];
        const LiveLoop *live = find(old);
        if (live == nullptr) return missing(old);
        if (live->kind == Loop::Kind::reduction) kind = Loop::Kind::reduction;
        if (live->mark) {
            return shown(old) + " is already marked " + std::string(to_string(*live->mark));
        }
        live_.erase(live_.begin() + (live - live_.data()));
    }
    for (size_t i = old_count; i < directive.loops.size(); ++i) {
        if (auto why = make(directive.loops[i], kind)) return why;
    }
    return std::nullopt;
}

Complaint StageState::mark(const Directive &directive) {
    for (const LoopRef &loop : directive.loops) {
        LiveLoop *live = find(loop);
        if (live == nullptr) return missing(loop);
        if (live->mark) {
            return shown(loop) + " is already marked " + std::string(to_string(*live->mark));
        }
        live->mark = directive.op;
    }
    return std::nullopt;
}

Complaint StageState::single_thread() {
    const bool marked = std::any_of(live_.begin(), live_.end(), [](const LiveLoop &live) {
        return live.mark == DirectiveOp::gpu_blocks || live.mark == DirectiveOp::gpu_threads;
    });
    if (marked || std::exchange(single_thread_, true)) return "the stage is on the GPU already";
    return std::nullopt;
}

Complaint StageState::atomic() {
    if (stage_->atomics == Atomics::no) {
        return "its reduction is not one that atomic operations can do";
    }
    if (std::exchange(atomic_, true)) return "the stage is atomic already";
    return std::nullopt;
}

Complaint StageState::apply(const Directive &directive) {
    touched_ = true;
    if (shape(directive.op).aligned || shape(directive.op).pixels) {
        const LoopRef &loop = directive.loops.front();
        return find(loop) == nullptr ? Complaint(missing(loop)) : std::nullopt;
    }
    if (directive.op == DirectiveOp::gpu_single_thread) return single_thread();
    if (directive.op == DirectiveOp::atomic) return atomic();
    if (is_mark(directive.op)) return mark(directive);
    const int first_made = shape(directive.op).first_made;
    if (first_made >= 0) return consume(directive, static_cast<size_t>(first_made));
    // reorder
    for (size_t i = 0; i < directive.loops.size(); ++i) {
        const LoopRef &loop = directive.loops[i];
        if (find(loop) == nullptr) return missing(loop);
        if (std::find(directive.loops.begin(), directive.loops.begin() + static_cast<int>(i),
                      loop) != directive.loops.begin() + static_cast<int>(i)) {
            return shown(loop) + " is named twice";
        }
    }
    return std::nullopt;
}

}  // namespace autoschedule_gpu
