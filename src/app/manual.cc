#include "app/manual.h"

#include <algorithm>
#include <cctype>

#include "app/process/version.h"

namespace bindery::app {
namespace {

/// A text for roff: without requests and escapes.
std::string Escaped(const std::string& text) {
  std::string escaped;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) escaped += "\\&";
    line_begins = c == '\n';
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string InWords(const CLI::App& app) {
  std::string words = app.get_name().empty() ? "bindery" : app.get_name();
  for (const CLI::App* parent = app.get_parent(); parent != nullptr;
       parent = parent->get_parent()) {
    words = (parent->get_name().empty() ? "bindery" : parent->get_name()) + " " + words;
  }
  return words;
}

std::string Upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::vector<const CLI::App*> Commands(const CLI::App& app) {
  std::vector<const CLI::App*> commands;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (!command->get_group().empty()) commands.push_back(command);
  }
  return commands;
}

std::string Synopsis(const CLI::App& app) {
  std::string text = ".SH SYNOPSIS\n.B " + Escaped(InWords(app)) + "\n";
  if (!Commands(app).empty()) return text + "[\\fIOPTION\\fR]... \\fICOMMAND\\fR ...\n";
  text += "[\\fIOPTION\\fR]...";
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) continue;
    std::string name = "\\fI" + Escaped(Upper(option->get_name())) + "\\fR";
    if (option->get_items_expected_max() > 1) name += "...";
    text += option->get_required() ? " " + name : " [" + name + "]";
  }
  return text + "\n";
}

/// "-o, --output TEXT:{text,json}" with the description.
std::string Entry(const CLI::Option& option) {
  std::string head;
  if (option.get_positional()) {
    head = "\\fI" + Escaped(Upper(option.get_name())) + "\\fR";
  } else {
    for (const std::string& name : option.get_snames()) {
      head += (head.empty() ? "" : ", ") + ("\\fB\\-" + Escaped(name) + "\\fR");
    }
    for (const std::string& name : option.get_lnames()) {
      head += (head.empty() ? "" : ", ") + ("\\fB\\-\\-" + Escaped(name) + "\\fR");
    }
    if (option.get_items_expected_max() > 0) {
      head += " \\fI" + Escaped(option.get_type_name()) + "\\fR";
    }
  }
  std::string text = ".TP\n" + head + "\n" + Escaped(option.get_description());
  if (!option.get_default_str().empty()) text += " (" + Escaped(option.get_default_str()) + ")";
  if (!option.get_envname().empty()) text += "; also $" + Escaped(option.get_envname());
  return text + "\n";
}

std::string Entries(const CLI::App& app, bool positionals) {
  std::string text;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty() || option->get_positional() != positionals) continue;
    text += Entry(*option);
  }
  if (text.empty()) return text;
  return (positionals ? ".SH ARGUMENTS\n" : ".SH OPTIONS\n") + text;
}

std::string CommandList(const CLI::App& app) {
  const std::vector<const CLI::App*> commands = Commands(app);
  if (commands.empty()) return {};
  std::string text = ".SH COMMANDS\n";
  for (const CLI::App* command : commands) {
    text += ".TP\n.BR " + Escaped(ManualName(*command)) + " (1)\n" +
            Escaped(command->get_description()) + "\n";
  }
  return text;
}

/// The text below the options in `--help`: notes, and examples as they are.
std::string Footer(const CLI::App& app) {
  const std::string footer = app.get_footer();
  const std::size_t examples = footer.find("Example");
  std::string text;
  if (const std::string notes = footer.substr(0, examples); !notes.empty()) {
    text += ".SH NOTES\n" + Escaped(notes) + (notes.ends_with('\n') ? "" : "\n");
  }
  if (examples == std::string::npos) return text;
  return text + ".SH EXAMPLES\n.nf\n" + Escaped(footer.substr(footer.find('\n', examples) + 1)) +
         "\n.fi\n";
}

/// The text at the end: of the program, what all commands have in common.
std::string Closing(const CLI::App& app) {
  if (app.get_parent() != nullptr) {
    return ".SH SEE ALSO\n.BR " + Escaped(ManualName(*app.get_parent())) + " (1)\n";
  }
  return R"(.SH FILES
.TP
.I /etc/bindery/bindery.yaml
The configuration, unless \fB\-c\fR or BINDERY_CONFIG names another.
.SH ENVIRONMENT
.TP
.B BINDERY_CONFIG
The configuration file.
.TP
.B BINDERY_\fISECTION\fR_\fIKEY\fR
A setting, instead of what the file says: \fBbindery config show\fR.
.TP
.B NO_COLOR
No colours.
.SH EXIT STATUS
Of plan, drift, validate, config check, store check and run \-\-once: 0 as declared, 1 differences
or faults, 2 an error. Of reconcile: 0, 1 where a removal waits (for evidence, the guard or a
mended manifest), 2 an error. The command health ends with 0 or 1. Every other command ends with 0, or
with 2 for an error.
.SH SEE ALSO
.BR bindery.yaml (5)
)";
}

}  // namespace

std::string ManualName(const CLI::App& app) {
  std::string name = InWords(app);
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::vector<const CLI::App*> WithManual(const CLI::App& app) {
  std::vector<const CLI::App*> pages = {&app};
  for (const CLI::App* command : Commands(app)) {
    for (const CLI::App* page : WithManual(*command)) pages.push_back(page);
  }
  return pages;
}

std::string ManualPage(const CLI::App& app) {
  const std::string name = ManualName(app);
  std::string page = ".TH " + Upper(Escaped(name)) + " 1 \"\" \"bindery " + Escaped(kVersion) +
                     "\" \"User Commands\"\n";
  page += ".SH NAME\n" + Escaped(name) + " \\- " + Escaped(app.get_description()) + "\n";
  page += Synopsis(app) + CommandList(app) + Entries(app, true) + Entries(app, false);
  return page + Footer(app) + Closing(app);
}

}  // namespace bindery::app
