// What the plots share: SVG elements with numbers as coordinates, and the frame around a plot.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace autoschedule_gpu {

// From the frame of a plot with two axes to its area: room for ticks and the names of axes.
inline constexpr double kPlotLeft = 60, kPlotRight = 20, kPlotTop = 20, kPlotBottom = 44;

enum class TextAnchor : uint8_t { start, middle, end };

// Returns "12.3": tenths of a unit are finer than any screen.
std::string coordinate(double value);

// Returns the text of a round number: "0.2", "1", "5000".
std::string tick_text(double value);

// The CSS classes are those of html_style.h.
std::string svg_text(double x, double y, TextAnchor anchor, std::string_view css_class,
                     std::string_view text);
std::string svg_line(double x1, double y1, double x2, double y2, std::string_view css_class);

// Returns the whole drawing. `title` is what a screen reader says.
std::string svg_frame(double width, double height, const std::string &title,
                      const std::string &content);

// Returns the width of a text in the plots' font, estimated generously: that of DejaVu Sans, the
// widest of the fonts that systems have for this. `bold`: of labels.
double estimated_width(std::string_view text);
double estimated_bold_width(std::string_view text);

}  // namespace autoschedule_gpu
