#include "present/svg_parts.h"

#include <cstdio>

#include "present/html.h"
#include "present/text.h"

namespace autoschedule_gpu {

namespace {

constexpr double kLetterWidth = 6.8, kBoldLetterWidth = 7.7;

const char *to_string(TextAnchor anchor) {
    switch (anchor) {
        case TextAnchor::start:
            return "start";
        case TextAnchor::middle:
            return "middle";
        case TextAnchor::end:
            return "end";
    }
    return "";
}

}  // namespace

std::string coordinate(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", value);
    return text;
}

std::string tick_text(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    return text;
}

std::string svg_text(double x, double y, TextAnchor anchor, std::string_view css_class,
                     std::string_view text) {
    return element("text",
                   {{"x", coordinate(x)},
                    {"y", coordinate(y)},
                    {"text-anchor", to_string(anchor)},
                    {"class", std::string(css_class)}},
                   html_text(text)) +
           "\n";
}

std::string svg_line(double x1, double y1, double x2, double y2, std::string_view css_class) {
    return empty_element("line", {{"x1", coordinate(x1)},
                                  {"y1", coordinate(y1)},
                                  {"x2", coordinate(x2)},
                                  {"y2", coordinate(y2)},
                                  {"class", std::string(css_class)}}) +
           "\n";
}

std::string svg_frame(double width, double height, const std::string &title,
                      const std::string &content) {
    const std::string box = "0 0 " + coordinate(width) + " " + coordinate(height);
    return element("svg",
                   {{"viewBox", box},
                    {"width", coordinate(width)},
                    {"height", coordinate(height)},
                    {"role", "img"}},
                   "\n" + element("title", {}, html_text(title)) + "\n" + content) +
           "\n";
}

double estimated_width(std::string_view text) {
    return kLetterWidth * static_cast<double>(text_width(text));
}

double estimated_bold_width(std::string_view text) {
    return kBoldLetterWidth * static_cast<double>(text_width(text));
}

}  // namespace autoschedule_gpu
