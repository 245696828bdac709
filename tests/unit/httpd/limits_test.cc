// Who has a connection when there are more than there may be.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <list>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "httpd/server.h"
#include "support/http_client.h"
#include "support/temp_dir.h"

namespace bindery::httpd {
namespace {

using testing::Fetch;
using testing::HttpConnection;
using testing::HttpResult;
using testing::TempDir;
using namespace std::chrono_literals;

/// Answers at once, but keeps what asks for "/hold" at work until it goes, and sends a lot to who
/// asks for "/much".
class LimitedServer : public ::testing::Test {
 protected:
  LimitedServer() {
    options_.listen = "127.0.0.1:0";
    options_.socket_path = dir_ / "api.sock";
    options_.vital = [](std::string_view path) { return path == "/livez"; };
    options_.refused = [this](Refusal why) {
      const std::lock_guard lock(mutex_);
      ++refusals_[why];
      counted_.notify_all();
    };
  }

  void Start() {
    auto started = Server::Start(options_, [this](const Request& request, Responder responder) {
      if (request.path != "/hold") {
        const std::size_t size = request.path == "/much" ? 64U << 20U : 2U;
        return responder.Send(TextResponse(200, std::string(size, 'x')));
      }
      const std::lock_guard lock(mutex_);
      held_.push_back(std::move(responder));
    });
    if (!started) throw std::runtime_error(ToString(started.error()));
    server_ = std::move(*started);
  }

  /// A connection whose request the handler has.
  HttpConnection& Hold(const std::string& from = "") {
    const std::size_t before = Held();
    HttpConnection& connection = connections_.emplace_back(server_->Address(), from);
    connection.SendRequest("GET", "/hold");
    while (Held() == before) std::this_thread::yield();
    return connection;
  }
  /// One that was served and is kept.
  HttpConnection& Keep(const std::string& from = "") {
    HttpConnection& connection = connections_.emplace_back(server_->Address(), from);
    EXPECT_EQ(Ask(connection).status, 200);
    return connection;
  }
  static HttpResult Ask(HttpConnection& connection, const std::string& path = "/") {
    connection.SendRequest("GET", path);
    return connection.Read();
  }
  [[nodiscard]] HttpResult Get(const std::string& path) const {
    return Fetch("GET", "http://" + server_->Address() + path);
  }
  [[nodiscard]] HttpResult GetOverSocket(const std::string& path) const {
    return Fetch("GET", "unix:" + dir_ / "api.sock" + ":" + path);
  }
  [[nodiscard]] std::size_t Held() {
    const std::lock_guard lock(mutex_);
    return held_.size();
  }
  /// The peer may see a connection close before why it was closed is counted.
  [[nodiscard]] bool ComeToBeRefused(Refusal why) {
    std::unique_lock lock(mutex_);
    return counted_.wait_for(lock, std::chrono::seconds(20), [&] { return refusals_[why] == 1; });
  }
  [[nodiscard]] int Refusals(Refusal why) {
    const std::lock_guard lock(mutex_);
    return refusals_[why];
  }

  TempDir dir_;
  ServerOptions options_;
  std::list<HttpConnection> connections_;
  std::mutex mutex_;
  std::condition_variable counted_;
  std::vector<Responder> held_;
  std::map<Refusal, int> refusals_;
  std::unique_ptr<Server> server_;  // Last: its handlers use what is above.
};

TEST_F(LimitedServer, TheOldestIdleConnectionGivesWay) {
  options_.limits.connections = 3;
  Start();
  HttpConnection& working = Hold();
  HttpConnection& oldest = Keep();
  HttpConnection& newer = Keep();
  HttpConnection& newest = Keep();
  EXPECT_TRUE(oldest.Closed());
  EXPECT_EQ(Ask(newer).status, 200);
  EXPECT_EQ(Ask(newest).status, 200);
  held_.front().Send(TextResponse(200, "late"));
  EXPECT_EQ(working.Read().body, "late");
  EXPECT_EQ(Refusals(Refusal::kLeft), 1);
  EXPECT_EQ(Refusals(Refusal::kNoRoom), 0);
}

TEST_F(LimitedServer, HalfOpenConnectionsShutNobodyOut) {
  options_.limits = {8, 4};
  Start();
  for (const char* bytes :
       {"", "G", "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nabc",
        "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        "2\r\nab\r\n"}) {
    for (int i = 0; i < 20; ++i) {
      const std::string from = "127.0.0." + std::to_string(2 + i);
      connections_.emplace_back(server_->Address(), from).Send(bytes);
      connections_.emplace_back(server_->Address()).Send(bytes);
    }
    EXPECT_EQ(Get("/").status, 200) << bytes;
    EXPECT_EQ(Get("/livez").status, 200) << bytes;
    EXPECT_EQ(GetOverSocket("/").status, 200) << bytes;
  }
}

TEST_F(LimitedServer, WhereAllAreAtWorkOnlyWhatIsVitalIsServed) {
  options_.limits.connections = 2;
  options_.vital_connections = 1;
  Start();
  Hold();
  Hold();
  const HttpResult refused = Get("/");
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.body, "503 Service Unavailable: too many connections\n");
  EXPECT_EQ(refused.Header("Retry-After"), "1");
  EXPECT_EQ(Refusals(Refusal::kNoRoom), 1);
  for (int i = 0; i < 5; ++i) {
    connections_.emplace_back(server_->Address());  // Who only occupies that place loses it.
    const HttpResult vital = Get("/livez");
    EXPECT_EQ(vital.status, 200);
    EXPECT_EQ(vital.Header("Connection"), "close");
  }
  held_.front().Send(TextResponse(200, ""));
  EXPECT_EQ(connections_.front().Read().status, 200);
  EXPECT_EQ(Get("/").status, 200);
}

TEST_F(LimitedServer, WithoutVitalPathsThereIsNoMoreThanThat) {
  options_.limits.connections = 1;
  Start();
  Hold();
  HttpConnection refused(server_->Address());
  EXPECT_TRUE(refused.Closed());
  EXPECT_EQ(Refusals(Refusal::kNoRoom), 1);
}

TEST_F(LimitedServer, OnePeerDoesNotTakeThePlacesOfOthers) {
  options_.limits = {8, 2};
  options_.vital_connections = 1;
  Start();
  HttpConnection& other = Keep("127.0.0.2");
  Hold("127.0.0.3");
  Hold("127.0.0.3");
  HttpConnection third(server_->Address(), "127.0.0.3");
  EXPECT_EQ(Ask(third).status, 503);
  // An idle one of its own gives way, never that of another.
  HttpConnection& idle = Keep("127.0.0.4");
  HttpConnection& second = Keep("127.0.0.4");
  HttpConnection& newest = Keep("127.0.0.4");
  EXPECT_TRUE(idle.Closed());
  EXPECT_EQ(Ask(second).status, 200);
  EXPECT_EQ(Ask(newest).status, 200);
  EXPECT_EQ(Ask(other).status, 200);
}

TEST_F(LimitedServer, TheSocketHasPlacesOfItsOwn) {
  options_.limits.connections = 1;
  options_.socket_limits = {1, 0};
  Start();
  Hold();
  HttpConnection idle(dir_ / "api.sock");
  EXPECT_EQ(Ask(idle).status, 200);
  EXPECT_EQ(GetOverSocket("/").status, 200);
  EXPECT_TRUE(idle.Closed());
}

TEST_F(LimitedServer, WhoDoesNotTakeAnAnswerGivesWay) {
  options_.limits.connections = 1;
  options_.vital_connections = 1;
  Start();
  HttpConnection deaf(server_->Address());
  deaf.SendRequest("GET", "/much");
  const auto end = std::chrono::steady_clock::now() + 20s;
  while (Get("/").status != 200) ASSERT_LT(std::chrono::steady_clock::now(), end);
  // Those that asked before the server noticed were refused as well.
  EXPECT_GE(Refusals(Refusal::kLeft), 1);
}

TEST_F(LimitedServer, WorkersOfTheSocketAndOfWhatIsVitalAreNeverTaken) {
  options_.workers = 1;
  options_.socket_workers = 1;
  options_.vital_workers = 1;
  std::mutex busy;
  busy.lock();
  auto started = Server::Start(options_, [&](const Request& request, const Responder& responder) {
    if (request.path == "/slow") {
      busy.lock();
      busy.unlock();
    }
    responder.Send(TextResponse(200, ""));
  });
  ASSERT_TRUE(started.has_value());
  server_ = std::move(*started);
  HttpConnection slow(server_->Address());
  slow.SendRequest("GET", "/slow");
  EXPECT_EQ(Get("/livez").status, 200);
  EXPECT_EQ(GetOverSocket("/").status, 200);
  busy.unlock();
  EXPECT_EQ(slow.Read().status, 200);
}

TEST_F(LimitedServer, SlowRequestsAreCounted) {
  options_.read_timeout = 50ms;
  Start();
  HttpConnection slow(server_->Address());
  slow.Send("GET / HTTP/1.1\r\nHost:");
  EXPECT_TRUE(slow.Closed());
  EXPECT_TRUE(ComeToBeRefused(Refusal::kTooSlow));
  EXPECT_EQ(Get("/%zz").status, 400);
  EXPECT_EQ(Refusals(Refusal::kMalformed), 1);
}

TEST(GetNetwork, IsWhatOneMachineMayHave) {
  const auto of = [](const std::string& address) {
    Peer peer;
    peer.address = address;
    return GetNetwork(peer);
  };
  EXPECT_EQ(of("192.0.2.1:40112"), "192.0.2.1");
  EXPECT_EQ(of("[2001:db8:1:2:3:4:5:6]:40112"), "2001:db8:1:2::/64");
  EXPECT_EQ(of("[2001:db8:1:2:ffff::1]:1"), "2001:db8:1:2::/64");
  EXPECT_EQ(of("[::ffff:192.0.2.1]:40112"), "192.0.2.1");
  EXPECT_EQ(of(""), "");
  Peer peer;
  peer.is_unix = true;
  peer.uid = 1000;
  EXPECT_EQ(GetNetwork(peer), "uid 1000");
}

}  // namespace
}  // namespace bindery::httpd
