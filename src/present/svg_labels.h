// Places the labels of a plot's points one after the other so that they hide no other label and no
// point. One for which there is no place next to its point stands further away, with a line to it;
// one for which there is none at all is left out, so points say their names under the pointer, too.
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
    // Labels stay inside `bounds` and beside points of `radius`.
    SvgLabels(const PlotBox &bounds, double radius) : bounds_(bounds), radius_(radius) {}

    // Tells of a point, or of a text that ends there. Call these for all of them before the first
    // label.
    void keep_clear(double x, double y);
    void keep_clear_of_text(double end, double y, const std::string &text);

    // Returns the drawn label of the point there.
    std::string place(double x, double y, const std::string &label);

private:
    bool is_free(const PlotBox &box) const;

    PlotBox bounds_;
    double radius_;
    std::vector<PlotBox> taken_;
};

}  // namespace autoschedule_gpu
