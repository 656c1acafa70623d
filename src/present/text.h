// Makes text from elsewhere (compilers' messages, names) fit to be shown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace autoschedule_gpu {

// Returns valid UTF-8 on one line. White space becomes a blank, other control characters are
// removed (a terminal would obey them, XML forbids them), and what is not UTF-8 becomes U+FFFD.
std::string clean_text(std::string_view text);

// Returns the number of code points of valid UTF-8. Wide characters count as one.
size_t text_width(std::string_view text);

// Returns `text` in lines of at most `width` code points, broken at blanks. A longer word is broken
// after its last punctuation mark that fits, or anywhere. `width` must be positive.
std::vector<std::string> wrapped(std::string_view text, size_t width);

}  // namespace autoschedule_gpu
