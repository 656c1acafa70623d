#include "halide/lower/unbound_fields.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace autoschedule_gpu {
namespace {

namespace ir = Halide::Internal;

// Halide's names of a buffer's fields are the buffer's, one of these, and a dimension.
constexpr std::array<std::string_view, 3> kFields = {".min.", ".extent.", ".stride."};

bool is_field(const std::string &name) {
    const size_t dimension = name.find_last_not_of("0123456789") + 1;
    if (dimension == name.size()) return false;
    const std::string_view before = std::string_view(name).substr(0, dimension);
    return std::ranges::any_of(kFields,
                               [&](std::string_view field) { return before.ends_with(field); });
}

class Fields : public ir::IRGraphVisitor {
public:
    std::optional<std::string> unbound;

private:
    using IRGraphVisitor::visit;

    void visit(const ir::Variable *op) override {
        if (!unbound && is_field(op->name) && !bound_.contains(op->name)) unbound = op->name;
    }
    void visit(const ir::LetStmt *op) override { visit_let(op); }
    void visit(const ir::Let *op) override { visit_let(op); }

    template <typename LetOrLetStmt>
    void visit_let(const LetOrLetStmt *op) {
        include(op->value);
        const ir::ScopedBinding<> bind(bound_, op->name);
        include(op->body);
    }

    ir::Scope<> bound_;
};

}  // namespace

std::optional<std::string> unbound_field(const ir::Stmt &lowered) {
    Fields fields;
    lowered.accept(&fields);
    return fields.unbound;
}

}  // namespace autoschedule_gpu
