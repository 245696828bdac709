#include "app/command_line.h"

#include <cstddef>
#include <memory>

#include "app/process/progress_bar.h"
#include "app/process/waiting_line.h"

namespace bindery::app {
namespace {

/// Gives each command a separate -c, so that the help of the command names the option.
void AddConfigToAll(CLI::App& app, std::string& config) {
  for (CLI::App* command : app.get_subcommands({})) {
    if (command->get_option_no_throw("--config") == nullptr) {
      command->add_option("-c,--config", config, "Configuration file; also $BINDERY_CONFIG")
          ->type_name(kFileType);
    }
    AddConfigToAll(*command, config);
  }
}

Output ReadOutput(const std::string& text) {
  if (text == "json") return Output::kJson;
  if (text == "yaml") return Output::kYaml;
  if (text == "sarif") return Output::kSarif;
  if (text == "wide") return Output::kWide;
  if (text == "name") return Output::kName;
  return text == "csv" ? Output::kCsv : Output::kText;
}

std::string Indented(const std::string& lines) {
  std::string text = "  ";
  for (const char c : lines) {
    text += c;
    if (c == '\n') text += "  ";
  }
  return text;
}

/// The help of CLI11, but for the usage of what takes some words and not any number: "[what(0x)]".
class HelpFormatter final : public CLI::Formatter {
 public:
  std::string make_option_usage(const CLI::Option* option) const override {
    std::string usage = make_option_name(option, /*is_positional=*/true);
    if (option->get_items_expected_max() > 1) usage += "...";
    return option->get_required() ? usage : "[" + usage + "]";
  }
};

}  // namespace

CommandLine::CommandLine(CLI::App& app) : app_(app) {
  app.formatter(std::make_shared<HelpFormatter>());
  app.require_subcommand(1);
  app.fallthrough();
  app.add_option("-c,--config", config_, "Configuration file")
      ->envname("BINDERY_CONFIG")
      ->type_name("FILE");
  DefineCommands(*this);
  AddConfigToAll(app, own_config_);
}

int CommandLine::RunChosen() {
  if (!own_config_.empty()) config_ = own_config_;
  context_.config_given = !config_.empty();
  context_.config_file = context_.config_given ? config_ : kDefaultConfig;
  context_.output = ReadOutput(output_);
  context_.form = output_;
  if (detailed_) context_.exit_style = ExitStyle::kTerraform;
  const bool waits = waiting_.contains(chosen_app_) && !context_.quiet;
  const CLI::App* const parent = chosen_app_->get_parent();
  const bool nested = parent != nullptr && parent != &app_;
  const std::string name = (nested ? parent->get_name() + " " : "") + chosen_app_->get_name();
  const WaitingLine waiting(name, ProgressBar::StandardError(!waits));
  return chosen_(context_);
}

Command::Command(CommandLine& line, const std::string& name, const std::string& description)
    : line_(line), app_(&line.app()) {
  std::size_t begin = 0;
  for (std::size_t end = name.find(' '); end != std::string::npos; end = name.find(' ', begin)) {
    app_ = app_->get_subcommand(name.substr(begin, end - begin));
    begin = end + 1;
  }
  app_ = app_->add_subcommand(name.substr(begin), description);
  app_->footer("");  // It begins with that of its parent.
}

void Command::Notes(const std::string& text) const { app_->footer(text); }

void Command::Examples(const std::string& lines) const {
  const std::string notes = app_->get_footer();
  const bool several = lines.find('\n') != std::string::npos;
  app_->footer(notes + (notes.empty() ? "" : "\n\n") + (several ? "Examples:\n" : "Example:\n") +
               Indented(lines));
}

CLI::Validator RequireNumber(const char* what) {
  return {[what](const std::string& text) {
            const bool digits = !text.empty() && text.find_first_not_of("0123456789") == text.npos;
            const bool good = digits && text.find_first_not_of('0') != text.npos;
            return good ? std::string() : "\"" + text + "\" is not " + what;
          },
          ""};
}

void Command::Output(std::vector<std::string> forms) const {
  app_->add_option("-o,--output", line_.output_, "Form of the result")
      ->check(CLI::IsMember(std::move(forms)))
      ->capture_default_str();
}

void Command::NoHeaders() const {
  app_->add_flag("--no-headers", line_.context_.no_headers, "Rows only: no titles, no remarks");
}

void Command::Quiet(const std::string& description) const {
  app_->add_flag("-q,--quiet", line_.context_.quiet, description);
}

void Command::Waits(const std::string& description) const {
  Quiet(description);
  line_.waiting_.insert(app_);
}

void Command::DetailedExit() const {
  app_->add_flag("--detailed-exitcode", line_.detailed_,
                 "Exit like terraform plan: 0 no change, 1 error, 2 changes");
}

void Command::Labels(std::vector<std::string>& labels) const {
  app_->add_option("-l,--label", labels,
                   "Only resources with these labels, as kubectl: team=a, 'team in (a,b),!test' "
                   "(repeatable)")
      ->type_name("SELECTOR")
      ->allow_extra_args(false);
}

std::function<Severity()> Command::LeastSeverity(const std::string& description) const {
  auto& severity = line_.Keep<std::string>();
  severity = "low";
  app_->add_option("--severity", severity, description)
      ->check(CLI::IsMember({"low", "medium", "high", "critical"}))
      ->capture_default_str();
  return [&severity] { return SeverityFromString(severity); };
}

void Command::Runs(CommandLine::Run run, std::optional<ExitStyle> failure_style) const {
  // The callback of a parent runs after the callback of its subcommand.
  app_->callback([&line = line_, app = app_, run = std::move(run), failure_style] {
    if (line.chosen_) return;
    line.chosen_ = run;
    line.chosen_app_ = app;
    line.failure_style_ = failure_style;
  });
}

}  // namespace bindery::app
