#include "halide/lower/misaligned_vectors.h"

#include <cstdint>
#include <numeric>

namespace autoschedule_gpu {
namespace {

namespace ir = Halide::Internal;

// Whether that may be a multiple of so many elements; a constant has the modulus 0.
bool may_be_multiple(const ir::ModulusRemainder &of, int64_t elements) {
    const int64_t known = std::gcd(of.modulus, elements);
    return of.remainder % known == 0;
}

bool is_multiple(const ir::ModulusRemainder &of, int64_t elements) {
    return of.modulus % elements == 0 && of.remainder % elements == 0;
}

class MisalignedVectors : public ir::IRGraphVisitor {
public:
    bool found = false;

private:
    using IRGraphVisitor::visit;

    void look(const Halide::Expr &index, const ir::ModulusRemainder &said) {
        const auto *ramp = index.as<ir::Ramp>();
        if (ramp == nullptr || !ir::is_const_one(ramp->stride)) return;
        found = found || (is_multiple(said, ramp->lanes) &&
                          !may_be_multiple(ir::modulus_remainder(ramp->base), ramp->lanes));
    }
    void visit(const ir::Load *op) override {
        look(op->index, op->alignment);
        IRGraphVisitor::visit(op);
    }
    void visit(const ir::Store *op) override {
        look(op->index, op->alignment);
        IRGraphVisitor::visit(op);
    }
};

}  // namespace

bool has_misaligned_vectors(const ir::Stmt &stmt) {
    MisalignedVectors finder;
    stmt.accept(&finder);
    return finder.found;
}

}  // namespace autoschedule_gpu
