// Text that came from elsewhere (compilers' messages, names) made fit to be shown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace autoschedule_gpu {

// Valid UTF-8 on one line: any white space becomes a blank, other control characters vanish (a
// terminal would obey them, XML forbids them), and what is no UTF-8 becomes U+FFFD.
std::string clean_text(std::string_view text);

// Code points of valid UTF-8. Wide characters count as one.
size_t text_width(std::string_view text);

// `text` in lines of at most `width` code points, broken at blanks; a longer word is broken behind
// its last sign of punctuation that fits, or anywhere. `width` is positive.
std::vector<std::string> wrapped(std::string_view text, size_t width);

}  // namespace autoschedule_gpu
