#include "halide/read/read.h"

#include "halide/read/read_pipeline.h"

namespace autoschedule_gpu {

Result<Dag> read_pipeline(const Halide::Pipeline &pipeline, const Halide::Target &target,
                          Respect respect) {
    try {
        return reading::PipelineReader(pipeline, target).read(respect);
    } catch (const Halide::Error &error) {
        return Error{std::string("Halide could not analyse the pipeline: ") + error.what()};
    }
}

}  // namespace autoschedule_gpu
