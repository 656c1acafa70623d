// Pieces of HTML that are also well-formed XML.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "present/table.h"

namespace autoschedule_gpu {

// Returns clean text (text.h), escaped for content and for attributes in double quotes.
std::string html_text(std::string_view text);

using HtmlAttributes = std::vector<std::pair<std::string_view, std::string>>;

// Returns <tag name="value">content</tag>. Values are escaped here; content is markup. An empty
// element closes itself where HTML or SVG allows that.
std::string element(std::string_view tag, const HtmlAttributes &attributes,
                    std::string_view content);
std::string empty_element(std::string_view tag, const HtmlAttributes &attributes);

// Returns the table without its title and caption, in a box that scrolls sideways, and its legend
// below.
std::string html_table(const Table &table);

}  // namespace autoschedule_gpu
