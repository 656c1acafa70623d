#include "process.h"

#include <halide_image_io.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace autoschedule_gpu::apps {
namespace {

constexpr double kFloatTolerance = 1e-4;

constexpr const char *kUsage =
    "usage: %s INPUT.png OUTPUT.png [--timing-iterations N] [--size WIDTHxHEIGHT]\n"
    "\n"
    "Runs the reference (CPU schedule) and the candidate on INPUT, compares what they compute,\n"
    "times both and saves the candidate's image. Exit status: 0 when they agree, 1 otherwise.\n"
    "\n"
    "  --timing-iterations N   runs per mean, after one that warms up (default 10; 0: no timing)\n"
    "  --size WIDTHxHEIGHT     crop the photograph, or continue it by mirroring, to this size\n"
    "\n"
    "PoCL, an OpenCL device on the CPU, is found with HL_OCL_DEVICE_TYPE=cpu set.\n";

struct Size {
    int width;
    int height;
};

struct Arguments {
    std::string input_path;
    std::string output_path;
    int timing_iterations = 10;
    std::optional<Size> size;
    bool help = false;
};

struct Difference {
    double largest = 0;    // NaN once a value and its counterpart can't be compared
    double tolerance = 0;  // on the same scale
    bool acceptable() const { return largest <= tolerance; }
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

Arguments parse_arguments(int argc, char **argv) {
    Arguments arguments;
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

// Returns once the device is done.
void run_to_the_end(const Variant &variant, Image &input, Image &output) {
    require_success(variant.run(input, output), variant.role, "running");
    if (output.has_device_allocation()) {
        require_success(output.device_sync(), variant.role, "waiting for");
    }
}

// Input and output stay on the device from one run to the next: copies are no part of a schedule's
// merit. What is left in `output`, on the host, is of the last run.
Timing measure(const Variant &variant, Image &input, Image &output, int iterations) {
    using Clock = std::chrono::steady_clock;
    // Compiles the kernels and uploads the input, so it is not timed.
    run_to_the_end(variant, input, output);
    Timing timing{0, std::numeric_limits<double>::infinity()};
    for (int i = 0; i < iterations; i++) {
        const Clock::time_point start = Clock::now();
        run_to_the_end(variant, input, output);
        const std::chrono::duration<double, std::milli> elapsed = Clock::now() - start;
        timing.mean_ms += elapsed.count() / iterations;
        timing.best_ms = std::min(timing.best_ms, elapsed.count());
    }
    require_success(output.copy_to_host(), variant.role, "copying the result of");
    return timing;
}

template <typename T>
Difference difference_of(const Image &reference, const Image &candidate) {
    const Halide::Runtime::Buffer<const T> expected(reference);
    const Halide::Runtime::Buffer<const T> found(candidate);
    double largest = 0, peak = 0;
    expected.for_each_element([&](const int *position) {
        const double e = expected(position), f = found(position);
        const double distance = std::abs(e - f);
        if (!(distance <= largest)) largest = distance;
        peak = std::max(peak, std::abs(e));
    });
    return {largest, std::is_floating_point_v<T> ? kFloatTolerance * peak : 0.0};
}

Difference compare(const Image &reference, const Image &candidate) {
    const halide_type_t type = reference.type();
    if (type == halide_type_of<float>()) return difference_of<float>(reference, candidate);
    if (type == halide_type_of<uint16_t>()) return difference_of<uint16_t>(reference, candidate);
    if (type == halide_type_of<uint8_t>()) return difference_of<uint8_t>(reference, candidate);
    throw std::runtime_error("no comparison for outputs of this element type");
}

// So that a value which a variant forgets to write can't be right by luck.
void poison(Image &output) {
    std::fill_n(static_cast<uint8_t *>(output.data()), output.size_in_bytes(), uint8_t{0xff});
    output.set_host_dirty();
}

void print_timing(const Variant &variant, const Timing &timing) {
    std::printf("%s_mean_ms  %.3f\n%s_best_ms  %.3f\n", variant.role, timing.mean_ms, variant.role,
                timing.best_ms);
}

void print_device(const Variant &variant) {
    const std::string features = std::string("-") + variant.metadata->target + "-";
    const char *device = "cpu";
    for (const char *api : {"cuda", "opencl", "metal", "vulkan", "d3d12compute", "webgpu"}) {
        if (features.find(std::string("-") + api + "-") != std::string::npos) device = api;
    }
    std::printf("%s_device   %s\n", variant.role, device);
}

void save(const Image &image, const std::string &path) {
    Image eight_bit = Halide::Tools::ImageTypeConversion::convert_image(
        image, halide_type_t(halide_type_uint, 8));
    if (!Halide::Tools::save(eight_bit, path)) {
        throw std::runtime_error("can't write '" + path + "' (the name should end in .png)");
    }
}

int process(const Arguments &arguments, const App &app) {
    Image photograph = load_photograph(arguments.input_path);
    if (arguments.size) photograph = resized(photograph, *arguments.size);
    Image input = app.prepare(photograph);
    Image expected = app.allocate_output(input);
    Image found = app.allocate_output(input);
    poison(expected);
    poison(found);
    input.set_host_dirty();

    std::printf("size               %dx%d\n", input.width(), input.height());
    print_device(app.reference);
    print_device(app.candidate);
    const int iterations = arguments.timing_iterations;
    const Timing reference_time = measure(app.reference, input, expected, iterations);
    const Timing candidate_time = measure(app.candidate, input, found, iterations);
    const Difference difference = compare(expected, found);
    std::printf("max_difference     %.3g\ntolerance          %.3g\n", difference.largest,
                difference.tolerance);
    if (iterations > 0) {
        print_timing(app.reference, reference_time);
        print_timing(app.candidate, candidate_time);
    }
    save(app.present(found), arguments.output_path);
    std::printf("outputs            %s\n", difference.acceptable() ? "agree" : "DIFFER");
    return difference.acceptable() ? 0 : 1;
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
        const Arguments arguments = parse_arguments(argc, argv);
        if (arguments.help) {
            std::printf(kUsage, argv[0]);
            return 0;
        }
        return process(arguments, app);
    } catch (const std::exception &failure) {
        std::fprintf(stderr, "%s: %s\n", argv[0], failure.what());
        return 1;
    }
}

Image luma(const Image &photograph) {
    const Halide::Runtime::Buffer<const float> rgb(photograph);
    Halide::Runtime::Buffer<float> result(rgb.width(), rgb.height());
    result.for_each_element([&](int x, int y) {
        result(x, y) = 0.299f * rgb(x, y, 0) + 0.587f * rgb(x, y, 1) + 0.114f * rgb(x, y, 2);
    });
    return result;
}

Image to_uint16(const Image &image) {
    return Halide::Tools::ImageTypeConversion::convert_image(image,
                                                             halide_type_t(halide_type_uint, 16));
}

Image unchanged(const Image &image) {
    return image;
}

}  // namespace autoschedule_gpu::apps
