// The words of the page about a schedule, and what they mean: each is explained on the page itself.
#pragma once

#include <string>
#include <string_view>

namespace autoschedule_gpu {

// Returns a link to the term's explanation, with that text; the text alone where there is no such
// term.
std::string term_link(std::string_view term, std::string_view text);
inline std::string term_link(std::string_view term) {
    return term_link(term, term);
}

// All terms as a list to link to.
std::string glossary_html();

}  // namespace autoschedule_gpu
