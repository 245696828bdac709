#include "app/completion.h"

#include <cstdio>

#include "app/command_line.h"
#include "app/shell/common.h"

namespace bindery::app {

void DefineCompletion(CommandLine& line) {
  auto& shell = line.Keep<std::string>();
  const Command completion(line, "completion", "Print the completion script of a shell");
  completion->add_option("shell", shell, "Shell")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  completion.Examples(
      "source <(bindery completion bash)\n"
      "bindery completion zsh > ~/.zfunc/_bindery\nbindery completion fish | source");
  completion.Runs([&shell](const CommandContext&) {
    std::fputs(CompletionScript(shell).data(), stdout);
    return kExitOk;
  });
}

}  // namespace bindery::app
