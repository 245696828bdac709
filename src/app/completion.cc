#include "app/completion.h"

#include <algorithm>
#include <optional>
#include <set>

#include "app/command_line.h"

namespace bindery::app {
namespace {

constexpr std::string_view kBash =
    R"(# bash completion for bindery: source <(bindery completion bash)
_bindery() {
  local line=${COMP_LINE:0:COMP_POINT} word prefix= candidate words
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  word=${words[-1]}
  # The shell breaks words at these; what it gets goes in place of the last piece.
  [[ $word =~ ^(.*[:=]) ]] && prefix=${BASH_REMATCH[1]}
  COMPREPLY=()
  while IFS=$'\t' read -r candidate _; do
    if [[ $candidate == :files ]]; then
      compopt -o default
    else
      COMPREPLY+=("${candidate#"$prefix"}")
    fi
  done < <("${words[0]}" __complete "${words[@]:1}" 2>/dev/null)
}
complete -F _bindery bindery
)";

constexpr std::string_view kZsh = R"(#compdef bindery
# zsh completion for bindery: put it into a folder of $fpath as _bindery, or
# source <(bindery completion zsh)
_bindery() {
  local line text found=1
  local -a candidates
  for line in "${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :files ]]; then
      _files && found=0
      continue
    fi
    [[ -z $line ]] && continue
    text=${line%%$'\t'*}
    text="${text//:/\\:}"
    [[ $line == *$'\t'* ]] && text+=":${line#*$'\t'}"
    candidates+=("$text")
  done
  (( $#candidates )) && _describe -V bindery candidates && found=0
  return found
}
if [[ $funcstack[1] == _bindery ]]; then
  _bindery "$@"
else
  # A shell without a completion of its own has none of the functions yet.
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _bindery bindery
fi
)";

constexpr std::string_view kFish =
    R"(# fish completion for bindery: bindery completion fish | source
function __bindery_complete
  set -l words (commandline -opc)
  set -l word (commandline -ct)
  for line in ($words[1] __complete $words[2..-1] "$word" 2>/dev/null)
    if test "$line" = :files
      __fish_complete_path "$word"
    else
      echo -- $line
    end
  end
end
complete -c bindery -f -a '(__bindery_complete)'
)";

/// The first sentence or line: lists are narrow.
std::string Brief(const std::string& description) {
  return description.substr(0, description.find_first_of("\n\t"));
}

bool IsHidden(const CLI::Option& option) { return option.get_group().empty(); }

/// "{text,json}" of "TEXT:{text,json}".
std::vector<std::string> Choices(const std::string& type) {
  std::vector<std::string> choices;
  const std::size_t open = type.find('{');
  const std::size_t close = type.find('}', open);
  if (open == std::string::npos || close == std::string::npos) return choices;
  for (std::size_t at = open + 1; at <= close;) {
    const std::size_t end = std::min(type.find(',', at), close);
    choices.push_back(type.substr(at, end - at));
    at = end + 1;
  }
  return choices;
}

/// Walks the words before the last, as the parser would.
class Walk {
 public:
  Walk(const CLI::App& app, const std::vector<std::string>& words) : app_(&app) {
    for (std::size_t i = 0; i + 1 < words.size(); ++i) Take(words[i]);
  }

  /// The option that the last word is the value of.
  [[nodiscard]] const CLI::Option* awaited() const { return awaited_; }
  [[nodiscard]] const CLI::App& app() const { return *app_; }

  /// The positional that a word without a dash would be; null if none exists.
  [[nodiscard]] const CLI::Option* Positional() const {
    std::size_t before = positionals_;
    for (const CLI::Option* option : app_->get_options()) {
      if (!option->get_positional()) continue;
      const auto most = static_cast<std::size_t>(std::max(option->get_items_expected_max(), 1));
      if (before < most) return option;
      before -= most;
    }
    return nullptr;
  }

  /// By its name, here or further up: options of the program go with every command.
  [[nodiscard]] const CLI::Option* Find(const std::string& name) const {
    for (const CLI::App* app = app_; app != nullptr; app = app->get_parent()) {
      if (const CLI::Option* option = app->get_option_no_throw(name)) return option;
    }
    return nullptr;
  }

 private:
  void Take(const std::string& word) {
    if (awaited_ != nullptr) {
      awaited_ = nullptr;
      return;
    }
    if (!only_positionals_ && word == "--") {
      only_positionals_ = true;
      return;
    }
    if (!only_positionals_ && word.size() > 1 && word.front() == '-') return TakeOption(word);
    for (const CLI::App* command : app_->get_subcommands({})) {
      if (only_positionals_ || command->get_name() != word) continue;
      app_ = command;
      positionals_ = 0;
      return;
    }
    ++positionals_;
  }

  void TakeOption(const std::string& word) {
    if (word.find('=') != std::string::npos) return;
    const CLI::Option* option = Find(word);
    if (option != nullptr && option->get_items_expected_max() > 0) awaited_ = option;
  }

  const CLI::App* app_;
  const CLI::Option* awaited_ = nullptr;
  std::size_t positionals_ = 0;
  bool only_positionals_ = false;
};

/// Candidates that begin with the typed text.
class Collector {
 public:
  /// `words`: all, the last of which is to be completed.
  explicit Collector(std::vector<std::string> words) : words_(std::move(words)) {
    if (words_.empty()) return;
    typed_ = std::move(words_.back());
    words_.pop_back();
  }

  void Offer(const std::string& text, const std::string& description = "") {
    if (text.starts_with(typed_)) result_.candidates.push_back({text, Brief(description)});
  }
  void OfferFiles() { result_.files = true; }

  /// What a value of the option may be; `before` stands in front of it in the same word.
  void OfferValues(const CLI::Option& option, const CompletionNames& names,
                   const std::string& before = "") {
    const std::string type = option.get_type_name();
    for (const std::string& choice : Choices(type)) Offer(before + choice);
    // The constraint follows the colon.
    for (const std::string& name : names(type.substr(0, type.find(':')), words_)) {
      Offer(before + name);
    }
    if (type == kFileType || type == kFolderType) OfferFiles();
  }

  /// An option of the program that the command has itself is offered once.
  void OfferOptions(const CLI::App& from) {
    std::set<std::string> offered;
    for (const CLI::App* app = &from; app != nullptr; app = app->get_parent()) {
      for (const CLI::Option* option : app->get_options()) {
        if (IsHidden(*option)) continue;
        for (const std::string& name : option->get_lnames()) {
          if (offered.insert(name).second) Offer("--" + name, option->get_description());
        }
      }
    }
  }

  void OfferCommands(const CLI::App& app) {
    for (const CLI::App* command : app.get_subcommands({})) {
      if (!command->get_group().empty()) Offer(command->get_name(), command->get_description());
    }
  }

  [[nodiscard]] Completion Result() && { return std::move(result_); }

 private:
  std::vector<std::string> words_;  ///< Before the last.
  std::string typed_;
  Completion result_;
};

}  // namespace

Completion Complete(const CLI::App& app, const std::vector<std::string>& words,
                    const CompletionNames& names) {
  const std::string typed = words.empty() ? std::string() : words.back();
  Collector collector(words);
  if (words.size() > 1 && words[0] == "help" && !typed.starts_with('-')) {
    // The following words are the names of a command, not its arguments.
    collector.OfferCommands(Walk(app, {words.begin() + 1, words.end()}).app());
    return std::move(collector).Result();
  }
  const Walk walk(app, words);
  const std::size_t equals = typed.find('=');
  if (walk.awaited() != nullptr) {
    collector.OfferValues(*walk.awaited(), names);
  } else if (typed.starts_with("--") && equals != std::string::npos) {
    const CLI::Option* option = walk.Find(typed.substr(0, equals));
    if (option != nullptr) {
      collector.OfferValues(*option, names, typed.substr(0, equals + 1));
    }
  } else if (typed.starts_with('-')) {
    collector.OfferOptions(walk.app());
  } else {
    collector.OfferCommands(walk.app());
    if (const CLI::Option* option = walk.Positional()) collector.OfferValues(*option, names);
  }
  return std::move(collector).Result();
}

std::string CompletionText(const Completion& completion) {
  std::string text;
  for (const Completion::Candidate& candidate : completion.candidates) {
    text += candidate.text;
    if (!candidate.description.empty()) text += "\t" + candidate.description;
    text += '\n';
  }
  if (completion.files) text += ":files\n";
  return text;
}

std::string_view CompletionScript(std::string_view shell) {
  if (shell == "bash") return kBash;
  return shell == "zsh" ? kZsh : kFish;
}

}  // namespace bindery::app
