#include <chrono>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "app/command_line.h"
#include "app/demo/child_daemon.h"
#include "app/demo/demo_folder.h"
#include "app/shell/common.h"
#include "cloud/transport.h"
#include "core/text/count.h"

namespace bindery::app {
namespace {

constexpr std::chrono::seconds kDemoPatience{60};

struct DemoArguments {
  std::string example;
  std::string directory;
  std::string listen;
  bool once = false;
};

/// Tells the events, with the seconds since the start.
class Teller {
 public:
  void Say(const std::string& text) const {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    std::printf("%5.1f s  %s\n", passed.count(), text.c_str());
    std::fflush(stdout);
  }
  static void SayMore(const std::string& text) {
    std::printf("%s\n", text.c_str());
    std::fflush(stdout);
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// The content of the daemon's log until the end of the first pass.
struct FirstPass {
  std::string cloud;      ///< The URL of the embedded cloud.
  std::string dashboard;  ///< The address of the daemon's listener.
  std::string manifests;  ///< How many.
  int written = 0;        ///< Targets.
  std::string last;       ///< The message of the last entry.
  bool done = false;
};

/// The parts of the demonstration.
struct Demonstration {
  DemoChange change;
  DemoFolder folder;
  Teller teller;
  ChildDaemon daemon;  ///< Last: it ends before its folder goes.
};

[[nodiscard]] FirstPass AwaitFirstPass(ChildDaemon& daemon) {
  FirstPass pass;
  pass.done = daemon.Follow(
      [&pass](const Json& entry) {
        pass.last = StringMember(entry, "msg");
        if (pass.last == "bindery starts") pass.cloud = StringMember(entry, "embeddedCloud");
        if (pass.last == "serving") pass.dashboard = StringMember(entry, "address");
        if (pass.last == "target written") ++pass.written;
        if (pass.last == "manifests loaded") {
          const Json* count = FindMember(entry, "manifests");
          if (count != nullptr) pass.manifests = count->dump();
        }
        return pass.last == "first pass done";
      },
      kDemoPatience);
  return pass;
}

[[nodiscard]] Expected<void> MakeChange(const std::string& cloud, const DemoChange& change) {
  cloud::CurlTransport transport{cloud::CurlTransportOptions{}};
  cloud::HttpRequest request;
  request.method = change.method;
  request.url = cloud + change.path;
  request.headers = {{"Content-Type", "application/json"}};
  request.body = change.body;
  request.direct = true;
  const Expected<cloud::HttpResponse> answer = transport.Send(request);
  if (!answer) return Fail(answer.error().Wrap("the embedded cloud"));
  if (answer->status / 100 != 2)
    return Fail(Code::kInternal, "the embedded cloud refuses the change: " + answer->body);
  return {};
}

/// Tells that the drift is found, and later that the drift is repaired. False when neither comes.
[[nodiscard]] bool AwaitRepair(Demonstration& demo) {
  return demo.daemon.Follow(
      [&demo](const Json& entry) {
        if (StringMember(entry, "target") != demo.change.target) return false;
        const std::string message = StringMember(entry, "msg");
        if (StringMember(entry, "event") == "DriftFound") demo.teller.Say("Found: " + message);
        if (message != "target written") return false;
        demo.teller.Say("Repaired: " + StringMember(entry, "reason"));
        return true;
      },
      kDemoPatience);
}

void TellWhatNext(const Demonstration& demo) {
  const DemoFolder& folder = demo.folder;
  Teller::SayMore("\nThe daemon goes on. In another terminal:\n\n  export BINDERY_CONFIG=" +
                  folder.ConfigFile().string() +
                  "\n  bindery get\n  bindery drift --all\n  bindery history " +
                  demo.change.resource + "\n\nThe daemon acts on each change of the files in " +
                  (folder.path() / "manifests").string() + ".\nCtrl+C ends the demonstration" +
                  (folder.stays() ? "." : " and removes its folder."));
}

/// Waits for the end of the daemon. Returns the exit code.
[[nodiscard]] int AwaitEnd(ChildDaemon& daemon) {
  std::string last;
  std::ignore = daemon.Follow(
      [&last](const Json& entry) {
        last = StringMember(entry, "msg");
        return false;
      },
      std::nullopt);
  return daemon.told_to_end() ? kExitOk : PrintError("the daemon ended: " + last);
}

/// Returns the exit code.
[[nodiscard]] int Show(Demonstration& demo, bool once) {
  demo.teller.Say("The example of a small company, and a cloud inside this program, in " +
                  demo.folder.path().string());
  const FirstPass pass = AwaitFirstPass(demo.daemon);
  if (demo.daemon.told_to_end()) return kExitOk;
  if (!pass.done) return PrintError("the daemon did not finish its first pass: " + pass.last);
  demo.teller.Say("First pass: " + pass.manifests + " manifests; " + Count(pass.written, "target") +
                  (pass.written == 1 ? " was not as declared, and is now"
                                     : " were not as declared, and are now"));
  demo.teller.Say("Dashboard: http://" + pass.dashboard + "/");
  demo.teller.Say(demo.change.says + " " + demo.change.grant);
  const Expected<void> changed = MakeChange(pass.cloud, demo.change);
  if (!changed) return PrintError(changed.error());
  const bool repaired = AwaitRepair(demo);
  if (demo.daemon.told_to_end()) return kExitOk;
  if (!repaired) return PrintError("the daemon did not repair the change");
  if (once) return kExitOk;
  TellWhatNext(demo);
  return AwaitEnd(demo.daemon);
}

int DemoCommand(const DemoArguments& arguments) {
  const Expected<std::filesystem::path> example = FindExample(arguments.example);
  if (!example) return PrintError(example.error());
  Expected<DemoChange> change = ReadDemoChange(*example);
  if (!change) return PrintError(change.error());
  Expected<DemoFolder> folder = DemoFolder::Make(*example, arguments.directory);
  if (!folder) return PrintError(folder.error());
  Expected<ChildDaemon> daemon =
      ChildDaemon::Start(folder->ConfigFile(), folder->path(), arguments.listen);
  if (!daemon) return PrintError(daemon.error());
  Demonstration demo{*std::move(change), *std::move(folder), {}, *std::move(daemon)};
  return Show(demo, arguments.once);
}

}  // namespace

void DefineDemo(CommandLine& line) {
  auto& arguments = line.Keep<DemoArguments>();
  const Command demo(line, "demo", "Run an example until the first drift is repaired");
  demo->add_flag("--once", arguments.once, "End after the first repaired drift");
  demo->add_option("--listen", arguments.listen,
                   "Address of the dashboard; any free port of this machine unless given");
  demo->add_option("--directory", arguments.directory,
                   "Work in this empty folder, which stays; a temporary one unless given")
      ->type_name(kFolderType);
  demo->add_option("--example", arguments.example,
                   "Another example: manifests, embedded-cloud.yaml, demo/")
      ->type_name(kFolderType);
  demo.Notes(
      "Starts the daemon on the example manifests and the embedded cloud, changes a policy in "
      "that cloud, and shows that the daemon finds and repairs the change. Nothing outside the "
      "folder changes, and no account is needed. Reads no configuration.");
  demo.Examples("bindery demo\nbindery demo --once");
  demo.Runs([&arguments](const CommandContext&) { return DemoCommand(arguments); });
}

}  // namespace bindery::app
