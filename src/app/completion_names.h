#pragma once

#include <string>
#include <vector>

namespace bindery::app {

/// Ends the program without a word when its answer takes longer than a person waits for a
/// completion: a store that is busy or far away. Whole seconds: the system's alarm.
void BoundCompletion();

/// What a value of the type may be: one of the types of app/command_line.h. `config_file` says
/// where the store is; `words` are those before the value, for what depends on them. Empty where
/// nothing is known, or it cannot be read: the user is typing, and nothing is said of it. Sorted
/// but for tokens and revisions, of which the newest comes first.
[[nodiscard]] std::vector<std::string> NamesOfType(const std::string& type,
                                                   const std::string& config_file,
                                                   const std::vector<std::string>& words);

}  // namespace bindery::app
