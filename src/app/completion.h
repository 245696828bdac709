#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace bindery {

/// What the last word of a command line may become.
struct Completion {
  struct Candidate {
    std::string text;  ///< The whole word.
    std::string description;
  };

  std::vector<Candidate> candidates;
  bool files = false;  ///< Or any file.
};

/// The names that are not in the command line's own grammar: the values of a type, which follow
/// these words. Called only where they are needed.
using CompletionNames = std::function<std::vector<std::string>(
    const std::string& type, const std::vector<std::string>& words)>;

/// Completes the last of `words`, which come after the program's name; it may be empty. By the same
/// description of the command line that parses it and that `--help` prints.
[[nodiscard]] Completion Complete(const CLI::App& app, const std::vector<std::string>& words,
                                  const CompletionNames& names);

/// One candidate a line, its description behind a tab; ":files" for files. What the scripts read.
[[nodiscard]] std::string CompletionText(const Completion& completion);

/// The script that makes a shell ask `bindery __complete`; for "bash", "zsh" and "fish".
[[nodiscard]] std::string_view CompletionScript(std::string_view shell);

}  // namespace bindery
