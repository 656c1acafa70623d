// Reads expressions of lowered code as plain data and keeps the names in scope around them. This is
// a helper of read_loops.
#pragma once

#include <Halide.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/lowered/lowered.h"
#include "halide/lower/external_buffers.h"
#include "halide/read/read_estimates.h"

namespace autoschedule_gpu::reading {

class LoopExprReader {
public:
    // Parameters without an estimate are added to `missing`. It and the other arguments must
    // outlive the reader.
    LoopExprReader(lowered::Code &code, std::map<std::string, ExternalBuffer> buffers,
                   const Estimates &estimates, Gaps &gaps);

    lowered::ExprId read(const Halide::Expr &expr);

    // Begins and ends the scope of a let or loop of that name.
    lowered::VariableId enter(const std::string &name);
    void leave(const std::string &name);

    // Begins and ends the scope of an allocation; `buffer` returns the buffer that a name stands
    // for.
    lowered::BufferId enter_buffer(lowered::Buffer buffer);
    void leave_buffer(const std::string &name);
    // One that is nowhere else known has elements of the type.
    lowered::BufferId buffer(const std::string &name, const Halide::Type &accessed_as);

    // From now on, loads of that buffer are taken to be part of an atomic store; an empty name ends
    // it.
    void set_atomic_buffer(const std::string &name) { atomic_buffer_ = name; }

    // Returns how many elements of a vector one instruction moves: as many as are known to be
    // aligned, up to 16 bytes. `alignment` is that of the first lane's index.
    int elements_per_instruction(const std::string &buffer, const Halide::Type &type,
                                 const Halide::Expr &index,
                                 const HI::ModulusRemainder &alignment) const;

private:
    class Visitor;

    lowered::Code &code_;
    const Estimates &estimates_;
    Gaps &gaps_;
    std::map<std::string, ExternalBuffer> external_;
    std::map<std::string, lowered::BufferId> external_ids_;
    std::map<std::string, std::vector<lowered::VariableId>> variables_;
    std::map<std::string, std::vector<lowered::BufferId>> buffers_;
    std::string atomic_buffer_;
};

}  // namespace autoschedule_gpu::reading
