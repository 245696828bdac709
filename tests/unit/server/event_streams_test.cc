#include "server/event_streams.h"

#include <list>

#include "server_fixture.h"

namespace bindery::server {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::HttpConnection;
using testing::HttpHeaders;
using testing::HttpResult;
using testing::IsOk;
using ::testing::Not;

/// One open stream; reads message after message.
class Listening {
 public:
  Listening(const std::string& address, const std::string& path, const HttpHeaders& headers = {},
            const std::string& from = "")
      : connection_(address, from) {
    connection_.SendRequest("GET", path, headers);
    head = connection_.Read();
  }

  /// The next message, without the empty line that ends it.
  std::string Next() {
    std::string message;
    while (!message.ends_with("\n\n")) {
      const std::string byte = connection_.ReadBytes(1);
      if (byte.empty()) return message + "(closed)";
      message += byte;
    }
    return message.substr(0, message.size() - 2);
  }

  HttpResult head;

 private:
  HttpConnection connection_;
};

class EventStream : public testing::ServerTest {
 protected:
  void SetUp() override {
    ServerTest::SetUp();
    store_->OnCommit([this](std::chrono::nanoseconds, std::size_t) { changes_.Raise(); });
  }
  void TearDown() override { store_->OnCommit({}); }

  void Happen(const std::string& reason) {
    store::StoreChange change;
    change.events = {{clock_.Wall(), EventType::kNormal, reason, "dash", "", "two\nlines", ""}};
    Apply(change);
  }

  /// Another server on the same store.
  void StartWith(EventStreams::Limits limits) {
    server_.reset();
    ApiParts parts = Parts();
    parts.refused = [this](std::string_view reason) { refusals_.emplace_back(reason); };
    ApiOptions options{"127.0.0.1:0", dir_ / "bindery.sock"};
    options.streams = limits;
    auto started = ApiServer::Start(options, parts);
    ASSERT_THAT(started, IsOk());
    server_ = std::move(*started);
  }
  Listening& Open(std::list<Listening>& streams, const std::string& from) const {
    return streams.emplace_back(Address(), kPath, HttpHeaders(), from);
  }

  [[nodiscard]] std::string Address() const { return server_->Address(); }
  std::vector<std::string> refusals_;
  static constexpr const char* kPath = "/api/v1/events/stream";
};

TEST_F(EventStream, TellsWhatHappensFromNowOn) {
  Happen("Before");
  Listening stream(Address(), kPath);
  EXPECT_EQ(stream.head.status, 200);
  EXPECT_EQ(stream.head.Header("Content-Type"), "text/event-stream");
  EXPECT_EQ(stream.head.Header("Cache-Control"), "no-store");
  EXPECT_EQ(stream.Next(), "retry: 3000\nid: 1\nevent: hello\ndata: {}");
  Happen("After");
  EXPECT_EQ(stream.Next(),
            "id: 2\nevent: journal\ndata: {\"id\":2,\"time\":\"2026-11-21T12:00:00.000Z\","
            "\"type\":\"Normal\",\"reason\":\"After\",\"resource\":\"dash\",\"target\":\"\","
            "\"message\":\"two\\nlines\",\"actor\":\"\"}");
  EXPECT_EQ(stream.Next(), "event: changed\ndata: {}");
}

TEST_F(EventStream, GoesOnAfterTheLastEventThatWasSeen) {
  for (const char* reason : {"One", "Two", "Three"}) Happen(reason);
  for (const auto& [path, headers] :
       {std::pair{std::string(kPath), HttpHeaders{{"Last-Event-ID", "1"}}},
        std::pair{std::string(kPath) + "?after=1", HttpHeaders{}}}) {
    Listening stream(Address(), path, headers);
    EXPECT_THAT(stream.Next(), HasSubstr("id: 1\n"));
    EXPECT_THAT(stream.Next(), HasSubstr("\"Two\""));
    EXPECT_THAT(stream.Next(), HasSubstr("\"Three\""));
  }
}

TEST_F(EventStream, AnIdOfAnotherStoreBeginsAnew) {
  Happen("One");
  Listening stream(Address(), kPath, {{"Last-Event-ID", "999999"}});
  EXPECT_THAT(stream.Next(), HasSubstr("id: 1\n"));
  Listening other(Address(), kPath, {{"Last-Event-ID", "no number"}});
  EXPECT_THAT(other.Next(), HasSubstr("id: 1\n"));
}

TEST_F(EventStream, CanLeaveTheEventsOut) {
  Listening stream(Address(), std::string(kPath) + "?only=changed");
  EXPECT_THAT(stream.Next(), HasSubstr("hello"));
  Happen("One");
  EXPECT_EQ(stream.Next(), "event: changed\ndata: {}");
}

TEST_F(EventStream, ManyEventsComeInTheirOrder) {
  Listening stream(Address(), kPath);
  EXPECT_THAT(stream.Next(), HasSubstr("hello"));
  store::StoreChange change;
  for (int i = 0; i < 450; ++i) {
    change.events.push_back(
        {clock_.Wall(), EventType::kNormal, "R" + std::to_string(i), "", "", "", ""});
  }
  Apply(std::move(change));
  for (int i = 0; i < 450;) {
    const std::string message = stream.Next();
    ASSERT_THAT(message, Not(HasSubstr("(closed)")));
    if (message.find("changed") != std::string::npos) continue;
    EXPECT_THAT(message, HasSubstr("\"R" + std::to_string(i++) + "\""));
  }
}

TEST_F(EventStream, OneReaderHasAShareOfThem) {
  StartWith({4, 2});
  std::list<Listening> streams;
  for (int i = 0; i < 2; ++i) EXPECT_EQ(Open(streams, "127.0.0.2").head.status, 200);
  const Listening third(Address(), kPath, {}, "127.0.0.2");
  EXPECT_EQ(third.head.status, 429);
  EXPECT_EQ(third.head.Header("Retry-After"), "10");
  EXPECT_EQ(Open(streams, "127.0.0.3").head.status, 200);
  EXPECT_THAT(refusals_, ElementsAre("streams"));
}

TEST_F(EventStream, WhoHasTheMostGivesWayToWhoHasFewer) {
  StartWith({4, 3});
  std::list<Listening> many;
  std::list<Listening> others;
  for (int i = 0; i < 3; ++i) Open(many, "127.0.0.2");
  Open(others, "127.0.0.3");
  EXPECT_EQ(Open(others, "127.0.0.4").head.status, 200);
  EXPECT_THAT(many.front().Next(), HasSubstr("hello"));
  EXPECT_EQ(many.front().Next(), "(closed)");
  // Now two of one are as good as one of another: nobody is turned out for the same.
  EXPECT_EQ(Open(others, "127.0.0.3").head.status, 503);
  EXPECT_EQ(Open(others, "127.0.0.5").head.status, 200);
  EXPECT_EQ(Open(others, "127.0.0.6").head.status, 503);
}

TEST_F(EventStream, WhoIsKnownGetsThePlaceOfWhoIsNot) {
  StartWith({2, 2});
  std::list<Listening> streams;
  Open(streams, "127.0.0.2");
  Open(streams, "127.0.0.3");
  Listening known(dir_ / "bindery.sock", kPath);
  EXPECT_EQ(known.head.status, 200);
  EXPECT_THAT(streams.front().Next(), HasSubstr("hello"));
  EXPECT_EQ(streams.front().Next(), "(closed)");
  Listening second(dir_ / "bindery.sock", kPath);
  EXPECT_EQ(second.head.status, 200);
  EXPECT_EQ(Open(streams, "127.0.0.4").head.status, 503);
}

TEST_F(EventStream, EndsWithTheServer) {
  Listening stream(Address(), kPath);
  EXPECT_THAT(stream.Next(), HasSubstr("hello"));
  server_->Stop(std::chrono::seconds(20));
  EXPECT_EQ(stream.Next(), "(closed)");
}

}  // namespace
}  // namespace bindery::server
