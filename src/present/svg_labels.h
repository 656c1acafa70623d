// Labels of the points of a plot, placed one after the other where they hide no other label and no
// point; where there is no such place, to the right of the point.
#pragma once

#include <string>
#include <vector>

namespace autoschedule_gpu {

struct PlotBox {
    double left, top, right, bottom;

    bool overlaps(const PlotBox &other) const {
        return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }
};

class SvgLabels {
public:
    // Labels lie inside `bounds`, beside points of `radius`.
    SvgLabels(const PlotBox &bounds, double radius) : bounds_(bounds), radius_(radius) {}

    // There is a point, or a text that ends there. All are told of before the first label.
    void keep_clear(double x, double y);
    void keep_clear_of_text(double end, double y, const std::string &text);

    // The label of the point there, drawn.
    std::string place(double x, double y, const std::string &label);

private:
    bool is_free(const PlotBox &box) const;

    PlotBox bounds_;
    double radius_;
    std::vector<PlotBox> taken_;
};

}  // namespace autoschedule_gpu
