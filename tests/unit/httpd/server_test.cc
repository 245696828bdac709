#include "httpd/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <future>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>

#include "support/http_client.h"
#include "support/matchers.h"
#include "support/temp_dir.h"
#include "unit/httpd/patience.h"

namespace bindery::httpd {
namespace {

using testing::FailsWith;
using testing::Fetch;
using ::testing::HasSubstr;
using testing::HttpConnection;
using testing::HttpResult;
using testing::IsOk;
using testing::kPatience;
using testing::TempDir;
using namespace std::chrono_literals;

std::unique_ptr<Server> StartOrDie(const ServerOptions& options, Handler handler) {
  auto server = Server::Start(options, std::move(handler));
  if (!server) throw std::runtime_error(ToString(server.error()));
  return std::move(*server);
}

ServerOptions AnyPort() {
  ServerOptions options;
  options.listen = "127.0.0.1:0";
  return options;
}

void Echo(const Request& request, const Responder& responder) {
  responder.Send(TextResponse(200, request.method + " " + request.path + " " + request.body));
}

std::string Url(const Server& server, const std::string& path) {
  return "http://" + server.Address() + path;
}

/// Keeps what it is asked to answer until the test says so.
class Shelf {
 public:
  void Put(Responder responder) {
    const std::lock_guard lock(mutex_);
    responder_.emplace(std::move(responder));
    changed_.notify_all();
  }
  Responder Take() {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, kPatience, [this] { return responder_.has_value(); })) {
      throw std::runtime_error("no request came");
    }
    Responder taken = *responder_;
    responder_.reset();
    return taken;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Responder> responder_;
};

TEST(HttpServer, HandsTheWholeRequestToTheHandler) {
  Request seen;
  const auto server = StartOrDie(AnyPort(), [&](Request request, Responder responder) {
    seen = std::move(request);
    responder.Send(JsonResponse(201, "{}"));
  });
  const HttpResult result =
      Fetch("POST", Url(*server, "/a%3Ab/c%2Fd?x=1&y=%20&x=2"), {{"X-Thing", "one"}}, "the body");
  EXPECT_EQ(result.status, 201);
  EXPECT_EQ(result.body, "{}");
  EXPECT_EQ(result.Header("Content-Type"), "application/json");
  EXPECT_THAT(result.Header("Date"), HasSubstr(" GMT"));
  EXPECT_EQ(seen.method, "POST");
  EXPECT_EQ(seen.path, "/a:b/c/d");
  EXPECT_EQ(seen.raw_path, "/a%3Ab/c%2Fd");
  EXPECT_EQ(seen.raw_target, "/a%3Ab/c%2Fd?x=1&y=%20&x=2");
  const Request::Query query = {{"x", "1"}, {"y", " "}, {"x", "2"}};
  EXPECT_EQ(seen.query, query);
  EXPECT_EQ(*seen.FindQuery("x"), "1");
  EXPECT_EQ(seen.headers.Get("x-thing"), "one");
  EXPECT_EQ(seen.body, "the body");
  EXPECT_FALSE(seen.peer.is_unix);
  EXPECT_THAT(seen.peer.address, HasSubstr("127.0.0.1:"));
}

TEST(HttpServer, KeepsTheConnectionAndAnswersAPipelineInOrder) {
  const auto server = StartOrDie(AnyPort(), Echo);
  HttpConnection connection(server->Address());
  connection.SendRequest("GET", "/1");
  EXPECT_EQ(connection.Read().body, "GET /1 ");
  connection.Send(
      "GET /2 HTTP/1.1\r\nHost: t\r\n\r\nPOST /3 HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\n\r\nhi"
      "GET /4 HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(connection.Read().body, "GET /2 ");
  EXPECT_EQ(connection.Read().body, "POST /3 hi");
  EXPECT_EQ(connection.Read().body, "GET /4 ");
  EXPECT_TRUE(connection.Closed());
}

TEST(HttpServer, ReadsChunkedBodiesAndAnswersExpectContinue) {
  const auto server = StartOrDie(AnyPort(), Echo);
  HttpConnection connection(server->Address());
  connection.Send(
      "POST /c HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n"
      "0\r\n\r\n");
  EXPECT_EQ(connection.Read().body, "POST /c abcde");
  connection.Send(
      "POST /e HTTP/1.1\r\nHost: t\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(connection.Read().status, 100);
  connection.Send("ok");
  EXPECT_EQ(connection.Read().body, "POST /e ok");
}

TEST(HttpServer, HeadAndNoContentHaveNoBody) {
  const auto server = StartOrDie(AnyPort(), [](const Request& request, const Responder& responder) {
    responder.Send(TextResponse(request.path == "/none" ? 204 : 200, "12345"));
  });
  HttpConnection connection(server->Address());
  connection.SendRequest("HEAD", "/");
  const HttpResult head = connection.Read(true);
  EXPECT_EQ(head.Header("Content-Length"), "5");
  connection.SendRequest("DELETE", "/none");
  const HttpResult none = connection.Read();
  EXPECT_EQ(none.status, 204);
  EXPECT_EQ(none.Header("Content-Length"), "");
  connection.SendRequest("GET", "/");
  EXPECT_EQ(connection.Read().body, "12345") << "a stray body would have been read first";
}

struct BadCase {
  const char* name;
  std::string bytes;
  int status;
  const char* body;
};

class HttpServerRefuses : public ::testing::TestWithParam<BadCase> {};

TEST_P(HttpServerRefuses, AndCloses) {
  std::atomic<int> handled = 0;
  ServerOptions options = AnyPort();
  options.max_header_bytes = 1024;
  options.max_body_bytes = 100;
  const auto server = StartOrDie(options, [&](const Request&, const Responder& responder) {
    ++handled;
    responder.Send({});
  });
  HttpConnection connection(server->Address());
  connection.Send(GetParam().bytes);
  const HttpResult result = connection.Read();
  EXPECT_EQ(result.status, GetParam().status);
  EXPECT_EQ(result.body, GetParam().body);
  EXPECT_EQ(result.Header("Connection"), "close");
  EXPECT_TRUE(connection.Closed());
  EXPECT_EQ(handled, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Requests, HttpServerRefuses,
    ::testing::Values(
        BadCase{"NotHttp", "hello there\r\n\r\n", 400, "400 Bad Request: malformed request\n"},
        BadCase{"BadVersion", "GET / HTTP/9.9\r\nHost: t\r\n\r\n", 400,
                "400 Bad Request: malformed request\n"},
        BadCase{"BadLength", "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: x\r\n\r\n", 400,
                "400 Bad Request: malformed request\n"},
        BadCase{"NoHost", "GET / HTTP/1.1\r\n\r\n", 400, "400 Bad Request: missing Host header\n"},
        BadCase{"TwoHosts", "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", 400,
                "400 Bad Request: more than one Host header\n"},
        BadCase{"TheSameHostTwice", "GET / HTTP/1.0\r\nHost: t\r\nhost: t\r\n\r\n", 400,
                "400 Bad Request: more than one Host header\n"},
        BadCase{"AnotherHostInTheRequestLine",
                "GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 400,
                "400 Bad Request: malformed request target\n"},
        BadCase{"LengthAndChunks",
                "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n"
                "\r\n0\r\n\r\n",
                400, "400 Bad Request: malformed request\n"},
        BadCase{"TwoLengths",
                "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
                400, "400 Bad Request: malformed request\n"},
        BadCase{"BadEscape", "GET /%zz HTTP/1.1\r\nHost: t\r\n\r\n", 400,
                "400 Bad Request: malformed request target\n"},
        BadCase{"RelativeTarget", "GET x HTTP/1.1\r\nHost: t\r\n\r\n", 400,
                "400 Bad Request: malformed request target\n"},
        BadCase{"LongHeader",
                "GET / HTTP/1.1\r\nHost: t\r\nX: " + std::string(2000, 'x') + "\r\n\r\n", 431,
                "431 Request Header Fields Too Large: request header too large\n"},
        BadCase{"LongBody",
                "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 101\r\n\r\n" + std::string(101, 'x'),
                413, "413 Payload Too Large: request body too large\n"},
        BadCase{"LongChunkedBody",
                "POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n" +
                    std::string(255, 'x') + "\r\n0\r\n\r\n",
                413, "413 Payload Too Large: request body too large\n"}),
    [](const auto& instance) { return std::string(instance.param.name); });

TEST(HttpServer, AnAnswerMayComeLaterFromAnotherThread) {
  Shelf shelf;
  const auto server = StartOrDie(
      AnyPort(), [&](const Request&, Responder responder) { shelf.Put(std::move(responder)); });
  HttpConnection connection(server->Address());
  connection.SendRequest("GET", "/");
  std::thread([responder = shelf.Take()] {
    responder.Send(TextResponse(200, "late"));
    responder.Send(TextResponse(200, "ignored"));
    responder.Drop();
  }).join();
  EXPECT_EQ(connection.Read().body, "late");
  connection.SendRequest("GET", "/");
  shelf.Take().Send(TextResponse(200, "again"));
  EXPECT_EQ(connection.Read().body, "again");
}

TEST(HttpServer, AForgottenRequestIsA500) {
  const auto server = StartOrDie(AnyPort(), [](const Request& request, const Responder&) {
    if (request.path == "/throw") throw std::runtime_error("broken");
  });
  EXPECT_EQ(Fetch("GET", Url(*server, "/")).status, 500);
  EXPECT_EQ(Fetch("GET", Url(*server, "/throw")).status, 500);
}

TEST(HttpServer, DropClosesWithoutAnAnswer) {
  const auto server =
      StartOrDie(AnyPort(), [](const Request&, const Responder& responder) { responder.Drop(); });
  HttpConnection connection(server->Address());
  connection.SendRequest("GET", "/");
  EXPECT_TRUE(connection.Closed());
}

TEST(HttpServer, AfterRunsTasksWithoutHoldingAThread) {
  ServerOptions options = AnyPort();
  options.workers = 0;
  Server* running = nullptr;
  const auto server = StartOrDie(options, [&](const Request&, const Responder& responder) {
    running->After(100ms, [responder] { responder.Send(TextResponse(200, "waited")); });
  });
  running = server.get();
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::future<HttpResult>> results;
  for (int i = 0; i < 50; ++i) {
    results.push_back(
        std::async(std::launch::async, [&] { return Fetch("GET", Url(*server, "/")); }));
  }
  for (auto& result : results) EXPECT_EQ(result.get().body, "waited");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 4s) << "50 delays of 100 ms ran one by one";
}

TEST(HttpServer, IdleAndStalledConnectionsAreClosed) {
  ServerOptions options = AnyPort();
  options.idle_timeout = 50ms;
  options.read_timeout = 50ms;
  const auto server = StartOrDie(options, Echo);
  HttpConnection idle(server->Address());
  EXPECT_TRUE(idle.Closed());
  HttpConnection stalled(server->Address());
  stalled.Send("GET / HT");
  EXPECT_TRUE(stalled.Closed());
}

TEST(HttpServer, ServesAUnixSocketAndTellsWhoConnected) {
  const TempDir dir;
  Request seen;
  ServerOptions options;
  options.socket_path = dir / "run/api.sock";
  auto server = StartOrDie(options, [&](Request request, const Responder& responder) {
    seen = std::move(request);
    responder.Send(TextResponse(200, "hello"));
  });
  EXPECT_EQ(server->Port(), 0);
  EXPECT_EQ(server->Address(), "");
  EXPECT_EQ(Fetch("GET", "unix:" + options.socket_path + ":/x").body, "hello");
  EXPECT_TRUE(seen.peer.is_unix);
  EXPECT_EQ(seen.peer.uid, ::getuid());
  EXPECT_EQ(seen.peer.pid, ::getpid());
  struct stat found = {};
  ASSERT_EQ(::stat(options.socket_path.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777U, 0600U);

  EXPECT_THAT(Server::Start(options, Echo),
              FailsWith(Code::kAlreadyExists, "cannot listen on \"" + options.socket_path +
                                                  "\": another process listens there"));
  server->Stop(0ms);
  EXPECT_FALSE(std::filesystem::exists(options.socket_path));
}

TEST(HttpServer, ReplacesASocketFileNobodyListensOnButNoOtherFile) {
  const TempDir dir;
  ServerOptions options;
  options.socket_path = dir / "api.sock";
  options.socket_mode = 0660;
  {
    const int left_behind = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un path = {};
    path.sun_family = AF_UNIX;
    std::strncpy(path.sun_path, options.socket_path.c_str(), sizeof(path.sun_path) - 1);
    const void* address = &path;
    ASSERT_EQ(::bind(left_behind, static_cast<const sockaddr*>(address), sizeof(path)), 0);
    ::close(left_behind);
  }
  auto server = StartOrDie(options, Echo);
  EXPECT_EQ(Fetch("GET", "unix:" + options.socket_path + ":/x").status, 200);
  struct stat found = {};
  ASSERT_EQ(::stat(options.socket_path.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777U, 0660U);
  server.reset();

  dir.Write("api.sock", "precious");
  EXPECT_THAT(Server::Start(options, Echo),
              FailsWith(Code::kFailedPrecondition, "cannot listen on \"" + options.socket_path +
                                                       "\": it exists and is not a socket"));
  EXPECT_EQ(dir.Read("api.sock"), "precious");
}

TEST(HttpServer, ATakenPortIsAlreadyExists) {
  const auto server = StartOrDie(AnyPort(), Echo);
  ServerOptions options;
  options.listen = server->Address();
  EXPECT_THAT(Server::Start(options, Echo),
              FailsWith(Code::kAlreadyExists,
                        "cannot listen on " + options.listen + ": Address already in use"));
}

TEST(HttpServer, ListensOnIpV6WhereThereIsOne) {
  ServerOptions options;
  options.listen = "[::1]:0";
  auto server = Server::Start(options, Echo);
  if (!server) GTEST_SKIP() << "no IPv6 here: " << server.error().message;
  EXPECT_EQ(Fetch("GET", Url(**server, "/six")).body, "GET /six ");
}

TEST(HttpServerStop, ClosesIdleConnectionsAndWaitsForRequestsInWork) {
  Shelf shelf;
  const auto server = StartOrDie(AnyPort(), [&](const Request& request, Responder responder) {
    if (request.path == "/slow") return shelf.Put(std::move(responder));
    responder.Send({});
  });
  HttpConnection idle(server->Address());
  idle.SendRequest("GET", "/");
  ASSERT_EQ(idle.Read().status, 200);
  HttpConnection busy(server->Address());
  busy.SendRequest("GET", "/slow");
  const Responder responder = shelf.Take();

  auto stopped = std::async(std::launch::async, [&] { server->Stop(kPatience); });
  EXPECT_TRUE(idle.Closed());
  EXPECT_EQ(stopped.wait_for(0ms), std::future_status::timeout);
  responder.Send(TextResponse(200, "done"));
  const HttpResult last = busy.Read();
  EXPECT_EQ(last.body, "done");
  EXPECT_EQ(last.Header("Connection"), "close");
  EXPECT_EQ(stopped.wait_for(kPatience), std::future_status::ready);
  EXPECT_FALSE(HttpConnection(server->Address()).connected());
}

TEST(HttpServerStop, CutsWhatIsStillInWorkAtTheDeadline) {
  Shelf shelf;
  auto server = StartOrDie(
      AnyPort(), [&](const Request&, Responder responder) { shelf.Put(std::move(responder)); });
  HttpConnection busy(server->Address());
  busy.SendRequest("GET", "/slow");
  const Responder responder = shelf.Take();
  server->Stop(10ms);
  server->Stop(10ms);
  server.reset();
  EXPECT_TRUE(busy.Closed());
  responder.Send({});  // Of a server that is gone: nothing happens.
}

TEST(HttpServerStop, ForgetsTasksThatAreNotDue) {
  auto server = StartOrDie(AnyPort(), Echo);
  auto held = std::make_shared<int>(1);
  std::weak_ptr<int> watched = held;
  server->After(1h, [held = std::move(held)] {});
  server.reset();
  EXPECT_TRUE(watched.expired());
}

}  // namespace
}  // namespace bindery::httpd
