#include "halide/lower/external_buffers.h"

#include <utility>

#include "halide/read/read_shapes.h"
#include "halide/read/read_stage.h"

namespace autoschedule_gpu::reading {
namespace {

class ExternalBuffers {
public:
    ExternalBuffers(const std::vector<HI::Function> &outputs, const Estimates &estimates,
                    Gaps &gaps)
        : estimates_(estimates), gaps_(gaps) {
        std::vector<ImageSource> images;
        for (const auto &[name, func] : HI::build_environment(outputs)) {
            for (int s = 0; s <= static_cast<int>(func.updates().size()); s++) {
                find_images(stage_source(func, s), images);
            }
        }
        for (const ImageSource &image : images) add_image(image);
        for (const HI::Function &output : outputs) add_output(output);
    }

    std::map<std::string, ExternalBuffer> found;

private:
    void add_image(const ImageSource &image) {
        std::vector<Dimension> dims(static_cast<size_t>(image.dimensions()));
        for (size_t d = 0; d < dims.size(); d++) {
            const int dim = static_cast<int>(d);
            if (image.buffer.defined()) {
                const auto shape = image.buffer.dim(dim);
                dims[d].estimate = Interval::from_extent(shape.min(), shape.extent());
            } else {
                dims[d].estimate = range(image.param, dim);
            }
        }
        set_image_strides(image, estimates_, dims);
        add(image.name, image.type(),
            image.param.defined() ? image.param.host_alignment() : image.type().bytes(), dims);
    }

    void add_output(const HI::Function &output) {
        std::vector<Dimension> dims(static_cast<size_t>(output.dimensions()));
        for (const Halide::Parameter &buffer : output.output_buffers()) {
            for (size_t d = 0; d < dims.size(); d++) {
                dims[d].estimate = range(buffer, static_cast<int>(d));
            }
            set_output_strides(output, estimates_, dims);
            add(buffer.name(), buffer.type(), buffer.host_alignment(), dims);
        }
    }

    Interval range(const Halide::Parameter &param, int dim) {
        const std::string number = std::to_string(dim);
        const auto value = [&](const std::string &property) {
            const Halide::Expr size = HI::Variable::make(
                Halide::Int(32), param.name() + "." + property + "." + number, param);
            return estimates_.integer(size, gaps_).value_or(0);
        };
        return Interval::from_extent(value("min"), value("extent"));
    }

    void add(const std::string &name, const Halide::Type &type, int64_t alignment_bytes,
             const std::vector<Dimension> &dims) {
        ExternalBuffer buffer;
        buffer.element_bytes = type.bytes();
        buffer.alignment_bytes = alignment_bytes;
        for (const Dimension &dim : dims) {
            buffer.mins.push_back(dim.estimate.min);
            buffer.dims.push_back({dim.estimate.extent(), dim.stride});
        }
        found.emplace(name, std::move(buffer));
    }

    const Estimates &estimates_;
    Gaps &gaps_;
};

}  // namespace

std::map<std::string, ExternalBuffer> external_buffers(const std::vector<HI::Function> &outputs,
                                                       const Estimates &estimates, Gaps &gaps) {
    return std::move(ExternalBuffers(outputs, estimates, gaps).found);
}

std::optional<int64_t> buffer_size(const HI::Call &call,
                                   const std::map<std::string, ExternalBuffer> &buffers) {
    const std::string prefix = "_halide_buffer_get_", suffix = ".buffer";
    if (call.name.compare(0, prefix.size(), prefix) != 0 || call.args.empty()) return {};
    const auto *described = call.args[0].as<HI::Variable>();
    if (described == nullptr || described->name.size() <= suffix.size()) return {};
    const std::string name = described->name.substr(0, described->name.size() - suffix.size());
    const auto found = buffers.find(name);
    if (found == buffers.end()) return {};
    if (call.name == HI::Call::buffer_get_device) return 0;  // as of what Halide is to allocate
    const auto dim = call.args.size() == 2 ? HI::as_const_int(call.args[1]) : std::nullopt;
    if (!dim) return {};
    const auto d = static_cast<size_t>(*dim);
    if (d >= found->second.dims.size()) return {};
    const std::string property = call.name.substr(prefix.size());
    if (property == "min") return found->second.mins[d];
    if (property == "extent") return found->second.dims[d].extent;
    if (property == "stride") return found->second.dims[d].stride;
    return {};
}

}  // namespace autoschedule_gpu::reading
