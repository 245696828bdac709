#include "server/event_streams.h"

#include <list>

#include "server_fixture.h"

namespace bindery {
namespace {

using ::testing::HasSubstr;
using testing::HttpConnection;
using testing::HttpHeaders;
using testing::HttpResult;
using ::testing::Not;

/// One open stream; reads message after message.
class Listening {
 public:
  Listening(const std::string& address, const std::string& path, const HttpHeaders& headers = {})
      : connection_(address) {
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
    StoreChange change;
    change.events = {{clock_.Wall(), EventType::kNormal, reason, "dash", "", "two\nlines", ""}};
    Apply(change);
  }

  [[nodiscard]] std::string Address() const { return server_->Address(); }
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
  StoreChange change;
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

TEST_F(EventStream, ThereIsABoundOnStreams) {
  std::list<Listening> streams;
  for (std::size_t i = 0; i < server::EventStreams::kMostStreams; ++i) {
    EXPECT_EQ(streams.emplace_back(Address(), kPath).head.status, 200);
  }
  const Listening refused(Address(), kPath);
  EXPECT_EQ(refused.head.status, 503);
  EXPECT_EQ(refused.head.Header("Retry-After"), "10");
}

TEST_F(EventStream, EndsWithTheServer) {
  Listening stream(Address(), kPath);
  EXPECT_THAT(stream.Next(), HasSubstr("hello"));
  server_->Stop(std::chrono::seconds(20));
  EXPECT_EQ(stream.Next(), "(closed)");
}

}  // namespace
}  // namespace bindery
