// The file by which clients reach a UNIX socket goes while the server runs.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "httpd/server.h"
#include "support/http_client.h"
#include "support/temp_dir.h"
#include "unit/httpd/patience.h"

namespace bindery::httpd {
namespace {

using testing::Fetch;
using testing::kPatience;
using testing::TempDir;
using namespace std::chrono_literals;

std::unique_ptr<Server> Serving(const ServerOptions& options, const std::string& text) {
  auto server =
      Server::Start(options, [text](const Request& /*request*/, const Responder& responder) {
        responder.Send(TextResponse(200, text));
      });
  if (!server) throw std::runtime_error(ToString(server.error()));
  return std::move(*server);
}

/// What a server said about the file of its socket.
class SocketWords {
 public:
  void Listen(ServerOptions& options) {
    options.socket_look = 10ms;
    options.socket_file = [this](const std::string& /*path*/, const Error* error) {
      const std::lock_guard lock(mutex_);
      said_.push_back(error == nullptr ? "made again" : error->message);
      more_.notify_all();
    };
  }
  /// The first words; waits for these.
  std::string First() {
    std::unique_lock lock(mutex_);
    more_.wait_for(lock, kPatience, [this] { return !said_.empty(); });
    return said_.empty() ? "" : said_.front();
  }
  std::size_t Count() {
    const std::lock_guard lock(mutex_);
    return said_.size();
  }

 private:
  std::mutex mutex_;
  std::condition_variable more_;
  std::vector<std::string> said_;
};

TEST(SocketFile, ASocketFileThatIsGoneIsMadeAgain) {
  for (const bool folder_too : {false, true}) {
    const TempDir dir;
    SocketWords words;
    ServerOptions options;
    options.socket_path = dir / "run/api.sock";
    words.Listen(options);
    auto server = Serving(options, "this one");
    EXPECT_EQ(Fetch("GET", "unix:" + options.socket_path + ":/x").body, "this one");
    if (folder_too) {
      std::filesystem::remove_all(dir / "run");
    } else {
      std::filesystem::remove(options.socket_path);
    }
    EXPECT_EQ(words.First(), "made again");
    EXPECT_EQ(Fetch("GET", "unix:" + options.socket_path + ":/x").body, "this one");
    struct stat found = {};
    ASSERT_EQ(::stat(options.socket_path.c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 0777U, 0600U);
    server->Stop(0ms);
    EXPECT_FALSE(std::filesystem::exists(options.socket_path));
  }
}

TEST(SocketFile, TheSocketOfAnotherProcessIsLeftAlone) {
  const TempDir dir;
  SocketWords words;
  ServerOptions options;
  options.socket_path = dir / "api.sock";
  ServerOptions others = options;
  words.Listen(options);
  auto server = Serving(options, "this one");
  // In one step, so that the server does not find the place empty.
  others.socket_path = dir / "other.sock";
  auto other = Serving(others, "the other");
  std::filesystem::rename(others.socket_path, options.socket_path);
  EXPECT_EQ(words.First(), "\"" + options.socket_path +
                               "\" is another file than this process made: commands do not reach "
                               "this process by it; when the file is removed, the socket is made "
                               "again");
  EXPECT_EQ(Fetch("GET", "unix:" + options.socket_path + ":/x").body, "the other");
  server->Stop(0ms);
  EXPECT_EQ(Fetch("GET", "unix:" + options.socket_path + ":/x").body, "the other");
  EXPECT_EQ(words.Count(), 1U);
}

}  // namespace
}  // namespace bindery::httpd
