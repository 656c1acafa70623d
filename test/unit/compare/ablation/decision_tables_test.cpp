#include "compare/ablation/decision_tables.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "compare/ablation/configuration.h"
#include "scheduler/decisions/optional_kinds.h"
#include "unit/compare/ablation/sample_rows.h"

namespace autoschedule_gpu {
namespace {

using Texts = std::vector<std::string>;

AblationRow found(const std::string &app, const std::string &configuration, double predicted_us,
                  double seconds) {
    AblationRow row = ablation_sample::row(app, configuration);
    row.search->predicted_us = predicted_us;
    row.search_s = {seconds};
    return row;
}

// Without padding blur takes four times as long, scan a hundredth less, and the search half.
std::vector<AblationRow> rows() {
    return {found("blur", "default", 100, 2),
            found("blur", "without_padding", 400, 1),
            found("scan", "default", 100, 2),
            found("scan", "without_padding", 99, 1),
            found("blur", "without_steps", 100, 2),
            ablation_sample::failed_row("scan", "without_steps"),
            found("other", "without_padding", 99, 1)};
}

std::string legend_of(const std::vector<AblationRow> &of) {
    return decision_tables(of, "2 x invented").front().legend;
}

TableLine table_line(const std::string &title, const std::string &first,
                     const std::vector<AblationRow> &of) {
    for (const Table &table : decision_tables(of, "2 x invented")) {
        if (table.title != title) continue;
        for (const TableLine &line : table.sections.at(0).lines) {
            if (line.cells.at(0).text == first) return line;
        }
    }
    return {};
}

Texts line_of(const std::string &title, const std::string &first,
              const std::vector<AblationRow> &of = rows()) {
    Texts texts;
    for (const TableCell &cell : table_line(title, first, of).cells) texts.push_back(cell.text);
    return texts;
}

std::string note_of(const std::string &title, const std::string &first,
                    const std::vector<AblationRow> &of) {
    return table_line(title, first, of).note;
}

// As it is where nothing has failed.
std::vector<AblationRow> rows_of_padding() {
    std::vector<AblationRow> found = rows();
    std::erase_if(found, [](const AblationRow &row) {
        return row.configuration == "without_steps" || row.app == "other";
    });
    return found;
}

TEST(DecisionTables, SayOfEachKindWhereItGainsAndWhatItCosts) {
    // sqrt(4 * 0.99) = 1.99.
    EXPECT_EQ(line_of("Kinds of decisions", "padding", rows_of_padding()),
              (Texts{"padding", "1 of 2", "0 of 2", "1.99", "4.00", "blur", "2.00"}));
    EXPECT_NE(legend_of(rows_of_padding()).find(" over 2 of 2 applications"), std::string::npos);
}

// Of scan there is no search without steps, and of other none with all kinds.
TEST(DecisionTables, HaveMeansOverWhatAllKindsHave) {
    EXPECT_EQ(line_of("Kinds of decisions", "padding"),
              (Texts{"padding", "1 of 2", "0 of 2", "4.00", "4.00", "blur", "2.00"}));
    EXPECT_NE(legend_of(rows()).find(" over 1 of 3 applications"), std::string::npos)
        << legend_of(rows());
}

TEST(DecisionTables, HaveNoMeansWhereKindsHaveNothingInCommon) {
    std::vector<AblationRow> apart = rows();
    apart[1] = ablation_sample::failed_row("blur", "without_padding");
    EXPECT_EQ(line_of("Kinds of decisions", "padding", apart),
              (Texts{"padding", "0 of 1", "0 of 1", "-", "0.990", "-", "-"}));
}

TEST(DecisionTables, LeaveOutSearchesThatFailed) {
    EXPECT_EQ(line_of("Kinds of decisions", "steps"),
              (Texts{"steps", "0 of 1", "0 of 1", "1.00", "1.00", "-", "1.00"}));
    EXPECT_EQ(line_of("Kinds of decisions", "unroll"),
              (Texts{"unroll", "-", "-", "-", "-", "-", "-"}));
    EXPECT_EQ(line_of("Failures", "scan").at(1), "without_steps");
}

// Without padding, Halide takes another schedule of blur, which is 50 times as slow.
TEST(DecisionTables, DoNotCountWhatHalideTookInsteadAsAGain) {
    std::vector<AblationRow> fallen = rows_of_padding();
    fallen[1].search->chosen = "plain";
    fallen[1].search->predicted_us = 5000;
    EXPECT_EQ(line_of("Kinds of decisions", "padding", fallen),
              (Texts{"padding", "0 of 1", "0 of 1", "0.990", "0.990", "-", "2.00"}));
    const Texts blur = line_of("Predicted time without a kind", "blur", fallen);
    EXPECT_EQ(std::ranges::count(blur, "-"), static_cast<std::ptrdiff_t>(optional_kinds().size()));
    EXPECT_EQ(note_of("Predicted time without a kind", "blur", fallen),
              "without_padding: Halide took the schedule \"plain\" instead of the search's");
    EXPECT_EQ(note_of("Predicted time without a kind", "scan", fallen), "");
    const Texts seconds = line_of("Search time without a kind", "blur", fallen);
    EXPECT_NE(std::ranges::find(seconds, "0.500"), seconds.end()) << "that is the search's own";
    fallen = rows_of_padding();
    fallen[0].search->chosen = "no_fusion";
    EXPECT_EQ(line_of("Kinds of decisions", "padding", fallen).at(1), "0 of 1");
}

TEST(DecisionTables, HaveAColumnForEachKind) {
    const Texts line = line_of("Predicted time without a kind", "blur");
    ASSERT_EQ(line.size(), 1 + optional_kinds().size());
    EXPECT_NE(std::ranges::find(line, "4.00"), line.end());
    EXPECT_NE(std::ranges::find(line, "-"), line.end());
}

TEST(DecisionConfigurations, SwitchOffOneKindEach) {
    const std::vector<Configuration> all = decision_configurations();
    ASSERT_EQ(all.size(), 1 + optional_kinds().size());
    EXPECT_TRUE(all[0].params.empty());
    for (size_t i = 1; i < all.size(); ++i) {
        const std::string kind(optional_kinds()[i - 1].name);
        EXPECT_EQ(all[i].name, name_without(kind));
        EXPECT_EQ(all[i].params, (NamedValues{{"disable_decisions", kind}}));
    }
}

}  // namespace
}  // namespace autoschedule_gpu
