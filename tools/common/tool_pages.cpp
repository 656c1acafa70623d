#include "common/tool_pages.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <vector>

namespace autoschedule_gpu {
namespace {

// A dash may not become a hyphen; a line may not begin with a request.
std::string roff(const std::string &text) {
    std::string result;
    for (const char c : text) {
        if (c == '\\') {
            result += "\\e";
        } else if (c == '-') {
            result += "\\-";
        } else if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) {
            result += std::string("\\&") + c;
        } else {
            result += c;
        }
    }
    return result;
}

std::vector<const CLI::App *> verbs_of(const CLI::App &app) {
    return app.get_subcommands([](const CLI::App *verb) { return !verb->get_name().empty(); });
}

// "\-\-budget TEXT", or the name of a positional.
std::string tag_of(const CLI::Option &option) {
    const bool takes_value = option.get_items_expected_max() > 0;
    std::string tag = "\\fB" + roff(option.get_name(option.get_positional())) + "\\fR";
    if (takes_value && !option.get_positional()) tag += " \\fI" + option.get_type_name() + "\\fR";
    if (option.get_required()) tag += " (required)";
    return tag;
}

std::string options_of(const CLI::App &app) {
    std::string text;
    for (const CLI::Option *option : app.get_options()) {
        text += ".TP\n" + tag_of(*option) + "\n" + roff(option->get_description());
        const std::string given = option->get_default_str();
        text += (given.empty() ? "" : " Default: " + roff(given) + ".") + "\n";
    }
    return text;
}

std::string flags_of(const CLI::App &app) {
    std::string flags;
    for (const CLI::Option *option : app.get_options()) {
        for (const std::string &name : option->get_lnames()) flags += " --" + name;
    }
    return flags;
}

}  // namespace

std::string indented(const std::string &lines) {
    std::string result;
    std::istringstream in(lines);
    for (std::string line; std::getline(in, line);) result += "  " + line + "\n";
    return result;
}

std::string manual_page(const ToolText &text, const CLI::App &app) {
    std::string upper = text.name;
    std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return std::toupper(c); });
    const std::string first = text.what.substr(0, text.what.find_first_of(".:;"));
    std::string page =
        ".TH " + upper + " 1 \"\" \"autoschedule_gpu " AUTOSCHEDULE_GPU_VERSION "\"\n" +
        ".SH NAME\n" + roff(text.name) + " \\- " + roff(first) + "\n.SH SYNOPSIS\n\\fB" +
        roff(text.name) + "\\fR" + (verbs_of(app).empty() ? "" : " VERB") +
        " [OPTIONS]\n.SH DESCRIPTION\n" + roff(text.what) + "\n.SH OPTIONS\n" + options_of(app);
    for (const CLI::App *verb : verbs_of(app)) {
        page += ".SH \"" + roff(text.name + " " + verb->get_name()) + "\"\n" +
                roff(verb->get_description()) + "\n" + options_of(*verb);
    }
    return page + ".SH EXAMPLES\n.nf\n" + roff(text.examples) + "\n.fi\n.SH \"EXIT STATUS\"\n" +
           roff(text.statuses) + ".\n";
}

std::string bash_completion(const ToolText &text, const CLI::App &app) {
    std::string names, cases;
    for (const CLI::App *verb : verbs_of(app)) {
        names += " " + verb->get_name();
        cases +=
            "        " + verb->get_name() + ") flags=\"" + flags_of(*verb).substr(1) + "\" ;;\n";
    }
    const std::string function = "_autoschedule_gpu_" + text.name;
    std::string script = function + "() {\n    local word=\"${COMP_WORDS[COMP_CWORD]}\" flags=\"" +
                         flags_of(app).substr(1) + "\"\n";
    if (!cases.empty()) script += "    case \"${COMP_WORDS[1]}\" in\n" + cases + "    esac\n";
    script +=
        "    COMPREPLY=()\n    if [[ \"$word\" == -* ]]; then\n"
        "        COMPREPLY=($(compgen -W \"$flags\" -- \"$word\"))\n";
    if (!names.empty()) {
        script += "    elif ((COMP_CWORD == 1)); then\n        COMPREPLY=($(compgen -W \"" +
                  names.substr(1) + "\" -- \"$word\"))\n";
    }
    return script + "    fi\n}\ncomplete -o default -F " + function + " " + text.name + "\n";
}

}  // namespace autoschedule_gpu
