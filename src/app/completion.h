#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace bindery::app {

/// What the last word of a command line may become.
struct Completion {
  struct Candidate {
    std::string text;  ///< The whole word.
    std::string description;
  };

  std::vector<Candidate> candidates;
  bool files = false;  ///< Or any file.
};

/// The names outside of the command line's own grammar: the values of a type, after these words.
/// Called only on demand.
using CompletionNames = std::function<std::vector<std::string>(
    const std::string& type, const std::vector<std::string>& words)>;

/// Completes the last of `words`, the words after the program's name; the last word may be empty.
/// Uses the same description of the command line as the parser and `--help`.
[[nodiscard]] Completion Complete(const CLI::App& app, const std::vector<std::string>& words,
                                  const CompletionNames& names);

/// One candidate per line, with its description behind a tab; ":files" for files. Read by the
/// scripts.
[[nodiscard]] std::string CompletionText(const Completion& completion);

/// The script that makes a shell ask `bindery __complete`; for "bash", "zsh" and "fish".
[[nodiscard]] std::string_view CompletionScript(std::string_view shell);

}  // namespace bindery::app
