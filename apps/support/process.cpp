#include "process.h"

#include <halide_image_io.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "difference.h"

namespace autoschedule_gpu::apps {
namespace {

constexpr const char *kUsage =
    "usage: %s INPUT.png OUTPUT.png [--timing-iterations N] [--size WIDTHxHEIGHT]\n"
    "\n"
    "Runs the reference (CPU schedule), the candidate (the plugin's schedule) and the manual\n"
    "schedule on INPUT, compares what they compute, times them and saves the candidate's image.\n"
    "Exit status: 0 when all agree, 1 otherwise.\n"
    "\n"
    "  --timing-iterations N   runs per mean, after one that warms up (default 10; 0: no timing)\n"
    "  --size WIDTHxHEIGHT     crop the photograph, or continue it by mirroring, to this size\n"
    "\n"
    "PoCL, an OpenCL device on the CPU, is found with HL_OCL_DEVICE_TYPE=cpu set.\n";

struct Size {
    int width;
    int height;
};

struct CommandLine {
    std::string input_path;
    std::string output_path;
    int timing_iterations = 10;
    std::optional<Size> size;
    bool help = false;
};

struct Timing {
    double mean_ms;
    double best_ms;
};

int parse_int(std::string_view text, std::string_view what, int at_least) {
    int value = 0;
    const char *end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    if (result.ec != std::errc() || result.ptr != end || value < at_least) {
        throw std::runtime_error(std::string(what) + " must be a whole number of at least " +
                                 std::to_string(at_least) + ", not '" + std::string(text) + "'");
    }
    return value;
}

Size parse_size(std::string_view text) {
    const size_t cross = text.find('x');
    if (cross == std::string_view::npos) {
        throw std::runtime_error("--size is written WIDTHxHEIGHT, not '" + std::string(text) + "'");
    }
    return {parse_int(text.substr(0, cross), "the width of --size", 1),
            parse_int(text.substr(cross + 1), "the height of --size", 1)};
}

CommandLine parse_command_line(int argc, char **argv) {
    CommandLine arguments;
    std::vector<std::string> paths;
    for (int i = 1; i < argc; i++) {
        const std::string word = argv[i];
        const bool takes_value = word == "--timing-iterations" || word == "--size";
        if (takes_value && i + 1 == argc) throw std::runtime_error(word + " needs a value");
        if (word == "--help") {
            arguments.help = true;
        } else if (word == "--timing-iterations") {
            arguments.timing_iterations = parse_int(argv[++i], word, 0);
        } else if (word == "--size") {
            arguments.size = parse_size(argv[++i]);
        } else if (word.rfind("--", 0) == 0) {
            throw std::runtime_error("unknown option '" + word + "'; see --help");
        } else {
            paths.push_back(word);
        }
    }
    if (arguments.help) return arguments;
    if (paths.size() != 2) throw std::runtime_error("expected INPUT and OUTPUT; see --help");
    arguments.input_path = paths[0];
    arguments.output_path = paths[1];
    return arguments;
}

// A grey photograph is repeated in three channels and an alpha channel is dropped.
Image load_photograph(const std::string &path) {
    Image loaded;
    if (!Halide::Tools::load(path, &loaded)) {
        throw std::runtime_error("can't read '" + path + "' as an image (PNG is supported)");
    }
    Image as_float = Halide::Tools::ImageTypeConversion::convert_image(
        loaded, halide_type_t(halide_type_float, 32));
    const Halide::Runtime::Buffer<const float> from(as_float);
    const int channels = from.dimensions() > 2 ? from.dim(2).extent() : 1;
    Halide::Runtime::Buffer<float> photograph(from.width(), from.height(), 3);
    photograph.for_each_element([&](int x, int y, int c) {
        const int channel = channels >= 3 ? c : 0;
        photograph(x, y, c) = from.dimensions() > 2 ? from(x, y, channel) : from(x, y);
    });
    return photograph;
}

int mirrored(int position, int extent) {
    const int within = position % (2 * extent);
    return within < extent ? within : 2 * extent - 1 - within;
}

Image resized(const Image &photograph, Size size) {
    const Halide::Runtime::Buffer<const float> from(photograph);
    Halide::Runtime::Buffer<float> result(size.width, size.height, 3);
    result.for_each_element([&](int x, int y, int c) {
        result(x, y, c) = from(mirrored(x, from.width()), mirrored(y, from.height()), c);
    });
    return result;
}

void require_success(int code, const char *role, const char *step) {
    if (code == 0) return;
    throw std::runtime_error(std::string(step) + " the " + role +
                             " failed with Halide error code " + std::to_string(code));
}

// Memory for one scalar argument of any type.
using ScalarBits = std::array<uint8_t, 8>;

template <typename T>
ScalarBits bits_of(double value) {
    const T typed = static_cast<T>(value);
    ScalarBits bits{};
    std::memcpy(bits.data(), &typed, sizeof typed);
    return bits;
}

ScalarBits scalar_bits(const halide_filter_argument_t &argument, const Arguments &given) {
    const auto found = given.scalars.find(argument.name);
    if (found == given.scalars.end()) {
        const auto *value = argument.scalar_estimate ? argument.scalar_estimate  //
                                                     : argument.scalar_def;
        ScalarBits bits{};
        if (value) std::memcpy(bits.data(), value, sizeof *value);
        return bits;
    }
    const halide_type_t type = argument.type;
    if (type == halide_type_of<float>()) return bits_of<float>(found->second);
    if (type == halide_type_of<int32_t>()) return bits_of<int32_t>(found->second);
    if (type == halide_type_of<uint32_t>()) return bits_of<uint32_t>(found->second);
    if (type == halide_type_of<uint16_t>()) return bits_of<uint16_t>(found->second);
    if (type == halide_type_of<uint8_t>()) return bits_of<uint8_t>(found->second);
    throw std::runtime_error(std::string("the scalar ") + argument.name +
                             " has a type that this program can't pass");
}

// One execution of a variant: its arguments as Halide's argv entry wants them, and its outputs.
class Call {
public:
    Call(const Variant &variant, const Arguments &given) : variant_(variant) {
        const halide_filter_metadata_t &metadata = *variant.metadata;
        scalars_.resize(metadata.num_arguments);
        for (int i = 0; i < metadata.num_arguments; i++) {
            const halide_filter_argument_t &argument = metadata.arguments[i];
            if (argument.kind == halide_argument_kind_input_scalar) {
                scalars_[i] = scalar_bits(argument, given);
                argv_.push_back(scalars_[i].data());
            } else {
                argv_.push_back(image(argument, given).raw_buffer());
            }
        }
    }
    Call(const Call &) = delete;
    Call &operator=(const Call &) = delete;

    // Returns once the device is done.
    void run() {
        require_success(variant_.run(argv_.data()), variant_.role, "running");
        for (Image &output : outputs_) {
            if (!output.has_device_allocation()) continue;
            require_success(output.device_sync(), variant_.role, "waiting for");
        }
    }

    // In the order of the pipeline's arguments, on the host.
    std::deque<Image> &results() {
        for (Image &output : outputs_) {
            require_success(output.copy_to_host(), variant_.role, "copying the result of");
        }
        return outputs_;
    }

private:
    Image &image(const halide_filter_argument_t &argument, const Arguments &given) {
        const bool is_output = argument.kind == halide_argument_kind_output_buffer;
        const auto input = given.inputs.find(argument.name);
        const auto output = given.outputs.find(argument.name);
        if (is_output ? output == given.outputs.end() : input == given.inputs.end()) {
            throw std::runtime_error(std::string("nothing was given for ") + argument.name);
        }
        if (!is_output) {
            inputs_.push_back(input->second);
            inputs_.back().set_host_dirty();
            return inputs_.back();
        }
        outputs_.emplace_back(argument.type, output->second);
        // So that a value which a variant forgets to write can't be right by luck.
        Image &made = outputs_.back();
        std::fill_n(static_cast<uint8_t *>(made.data()), made.size_in_bytes(), uint8_t{0xff});
        made.set_host_dirty();
        return made;
    }

    const Variant &variant_;
    // Deques: argv_ points into them.
    std::deque<Image> inputs_, outputs_;
    std::vector<ScalarBits> scalars_;
    std::vector<void *> argv_;
};

// Inputs and outputs stay on the device from one run to the next: copies are no part of a
// schedule's merit.
Timing measure(Call &call, int iterations) {
    using Clock = std::chrono::steady_clock;
    // Compiles the kernels and uploads the inputs, so it is not timed.
    call.run();
    Timing timing{0, std::numeric_limits<double>::infinity()};
    for (int i = 0; i < iterations; i++) {
        const Clock::time_point start = Clock::now();
        call.run();
        const std::chrono::duration<double, std::milli> elapsed = Clock::now() - start;
        timing.mean_ms += elapsed.count() / iterations;
        timing.best_ms = std::min(timing.best_ms, elapsed.count());
    }
    return timing;
}

const char *device_of(const Variant &variant) {
    const std::string features = std::string("-") + variant.metadata->target + "-";
    const char *device = "cpu";
    for (const char *api : {"cuda", "opencl", "metal", "vulkan", "d3d12compute", "webgpu"}) {
        if (features.find(std::string("-") + api + "-") != std::string::npos) device = api;
    }
    return device;
}

void print_figure(const char *role, const char *figure, const std::string &value) {
    std::printf("%-26s %s\n", (std::string(role) + "_" + figure).c_str(), value.c_str());
}

std::string as_text(double value, const char *format) {
    char text[32];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

void print_timing(const Variant &variant, const Timing &timing) {
    print_figure(variant.role, "device", device_of(variant));
    print_figure(variant.role, "mean_ms", as_text(timing.mean_ms, "%.3f"));
    print_figure(variant.role, "best_ms", as_text(timing.best_ms, "%.3f"));
}

// Whether all outputs agree; says how far they are from it.
bool agrees(const Variant &variant, std::deque<Image> &expected, std::deque<Image> &found,
            const AllowedDifference &allowed) {
    bool agree = true;
    for (size_t i = 0; i < expected.size(); i++) {
        const Difference found_here = difference(expected[i], found[i], allowed);
        print_figure(variant.role, "max_difference",
                     as_text(found_here.largest, "%.3g") +
                         as_text(found_here.tolerance, "  (tolerance %.3g)"));
        agree = agree && found_here.acceptable();
    }
    print_figure(variant.role, "output", agree ? "agrees" : "DIFFERS");
    return agree;
}

void save(const Image &image, const std::string &path) {
    Image eight_bit = Halide::Tools::ImageTypeConversion::convert_image(
        image, halide_type_t(halide_type_uint, 8));
    if (!Halide::Tools::save(eight_bit, path)) {
        throw std::runtime_error("can't write '" + path + "' (the name should end in .png)");
    }
}

int process(const CommandLine &command_line, const App &app) {
    Image photograph = load_photograph(command_line.input_path);
    if (command_line.size) photograph = resized(photograph, *command_line.size);
    const Arguments arguments = app.arguments(photograph);
    std::printf("%-26s %dx%d\n", "size", photograph.width(), photograph.height());

    const int iterations = command_line.timing_iterations;
    Call reference(app.reference, arguments);
    const Timing reference_time = measure(reference, iterations);
    if (iterations > 0) print_timing(app.reference, reference_time);

    bool all_agree = true;
    for (const Variant &variant : app.candidates) {
        Call candidate(variant, arguments);
        const Timing time = measure(candidate, iterations);
        if (iterations > 0) print_timing(variant, time);
        const bool agree =
            agrees(variant, reference.results(), candidate.results(),
                   {.of_floats = app.float_tolerance, .of_integers = app.integer_steps});
        all_agree = all_agree && agree;
        if (&variant == &app.candidates.front()) {
            save(app.present(candidate.results().front()), command_line.output_path);
        }
    }
    std::printf("%-26s %s\n", "outputs", all_agree ? "agree" : "DIFFER");
    return all_agree ? 0 : 1;
}

void report_halide_error(void *, const char *message) {
    std::fprintf(stderr, "%s\n", message);
}

}  // namespace

int process_main(int argc, char **argv, const App &app) {
    // Halide's own handler aborts the process; ours lets the error code come back to us.
    halide_set_error_handler(report_halide_error);
    // So that results and errors keep their order where both are redirected.
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
    try {
        const CommandLine command_line = parse_command_line(argc, argv);
        if (command_line.help) {
            std::printf(kUsage, argv[0]);
            return 0;
        }
        return process(command_line, app);
    } catch (const std::exception &failure) {
        std::fprintf(stderr, "%s: %s\n", argv[0], failure.what());
        return 1;
    }
}

std::vector<int> shape_of(const Image &image) {
    std::vector<int> extents;
    for (int d = 0; d < image.dimensions(); d++) extents.push_back(image.dim(d).extent());
    return extents;
}

Image luma(const Image &photograph) {
    const Halide::Runtime::Buffer<const float> rgb(photograph);
    return make_image(rgb.width(), rgb.height(), [&](int x, int y) {
        return 0.299f * rgb(x, y, 0) + 0.587f * rgb(x, y, 1) + 0.114f * rgb(x, y, 2);
    });
}

Image to_uint8(const Image &image) {
    return Halide::Tools::ImageTypeConversion::convert_image(image, halide_type_of<uint8_t>());
}

Image to_uint16(const Image &image) {
    return Halide::Tools::ImageTypeConversion::convert_image(image, halide_type_of<uint16_t>());
}

Image make_image(int width, int height, const std::function<float(int, int)> &value) {
    Halide::Runtime::Buffer<float> image(width, height);
    image.for_each_element([&](int x, int y) { image(x, y) = value(x, y); });
    return image;
}

Image make_image(int width, int height, int channels,
                 const std::function<float(int, int, int)> &value) {
    Halide::Runtime::Buffer<float> image(width, height, channels);
    image.for_each_element([&](int x, int y, int c) { image(x, y, c) = value(x, y, c); });
    return image;
}

Image unchanged(const Image &image) {
    return image;
}

Image stretched(const Image &output) {
    Image shown = output;
    while (shown.dimensions() > 3) shown = shown.sliced(shown.dimensions() - 1);
    if (shown.dimensions() == 3 && shown.dim(2).extent() != 3) shown = shown.sliced(2);
    const auto as_floats = [&]<typename T>(T) {
        const Halide::Runtime::Buffer<const T> from(shown);
        double low = std::numeric_limits<double>::infinity(), high = -low;
        from.for_each_value([&](T value) {
            low = std::min<double>(low, value);
            high = std::max<double>(high, value);
        });
        const double range = high > low ? high - low : 1.0;
        Halide::Runtime::Buffer<float> picture(shape_of(shown));
        picture.for_each_element([&](const int *position) {
            picture(position) = static_cast<float>((from(position) - low) / range);
        });
        return Image(picture);
    };
    if (shown.type() == halide_type_of<float>()) return as_floats(float{});
    if (shown.type() == halide_type_of<int32_t>()) return as_floats(int32_t{});
    if (shown.type() == halide_type_of<uint16_t>()) return as_floats(uint16_t{});
    if (shown.type() == halide_type_of<uint8_t>()) return as_floats(uint8_t{});
    throw std::runtime_error("can't show outputs of this element type");
}

}  // namespace autoschedule_gpu::apps
