#include "cloud/curl/curl_events.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "cloud/curl/curl_exchange.h"
#include "support/http_impostor.h"

namespace bindery::cloud {
namespace {

using testing::HttpImpostor;

/// What an epoll descriptor of this process watches, by its number.
std::multiset<int> WatchedBy(int epoll) {
  std::ifstream info("/proc/self/fdinfo/" + std::to_string(epoll));
  std::multiset<int> watched;
  std::string word;
  while (info >> word) {
    int descriptor = -1;
    if (word == "tfd:" && info >> descriptor) watched.insert(descriptor);
  }
  return watched;
}

std::set<int> EpollDescriptors() {
  std::set<int> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fdinfo")) {
    const int descriptor = std::stoi(entry.path().filename().string());
    if (!WatchedBy(descriptor).empty()) found.insert(descriptor);
  }
  return found;
}

constexpr std::size_t kWakeOnly = 1;

class CurlEventsTest : public ::testing::Test {
 protected:
  CurlEventsTest() {
    for (const int descriptor : EpollDescriptors()) {
      if (!before_.contains(descriptor)) epoll_ = descriptor;
    }
    server_->When("GET", "/").Reply(200, "kept");
    server_->When("GET", "/last").Reply(200, "last", {{"Connection", "close"}});
  }

  /// The body of the answer. All happens on this thread.
  std::string Get(const std::string& path) {
    auto request = std::make_shared<HttpRequest>();
    request->method = "GET";
    request->url = server_->Url(path);
    request->timeout = std::chrono::seconds(20);
    std::optional<Expected<HttpResponse>> answer;
    auto begun = exchange_.Begin(
        std::move(request), [&](Expected<HttpResponse> response) { answer = std::move(response); });
    EXPECT_TRUE(begun);
    curl_multi_add_handle(events_.multi(TransferGroup::kExchanges), exchange_.easy());
    const CURLMsg* message = nullptr;
    for (int left = 0; message == nullptr;
         message = curl_multi_info_read(events_.multi(TransferGroup::kExchanges), &left)) {
      events_.Turn();
    }
    const CURLcode code = message->data.result;
    if (code == CURLE_OK) exchange_.KeepConnection();
    curl_multi_remove_handle(events_.multi(TransferGroup::kExchanges), exchange_.easy());
    exchange_.Finish(exchange_.Outcome(code));
    return *answer ? (*answer)->body : (*answer).error().message;
  }

  /// Asks over a kept connection until one answer had to be waited for: what is there at once is
  /// read without watching.
  void AskUntilWatched() {
    constexpr int kMost = 10'000;
    for (int i = 0; i < kMost && Watched() == kWakeOnly; ++i) EXPECT_EQ(Get("/"), "kept");
    EXPECT_EQ(Watched(), kWakeOnly + 1);
  }

  [[nodiscard]] std::size_t Watched() const { return WatchedBy(epoll_).size(); }

  std::unique_ptr<HttpImpostor> server_ = std::make_unique<HttpImpostor>();
  const std::set<int> before_ = EpollDescriptors();
  CurlEvents events_;
  const ExchangeSettings settings_{
      .user_agent = "bindery/test",
      .ca_file = "",
      .proxies = ProxyChoice("", "", [](const std::string&) { return std::nullopt; })};
  CurlExchange exchange_{settings_, events_};
  int epoll_ = -1;
};

TEST_F(CurlEventsTest, AKeptConnectionStaysWatchedBetweenItsRequests) {
  ASSERT_EQ(Watched(), kWakeOnly);
  EXPECT_EQ(Get("/"), "kept");
  EXPECT_EQ(Watched(), kWakeOnly) << "it is known to be kept once there was an answer";
  AskUntilWatched();
  EXPECT_EQ(Get("/"), "kept");
  EXPECT_EQ(Watched(), kWakeOnly + 1);
  EXPECT_EQ(server_->Connections(), 1);
}

TEST_F(CurlEventsTest, AKeptConnectionThatItsPeerClosesIsWatchedNoMore) {
  EXPECT_EQ(Get("/"), "kept");
  AskUntilWatched();
  ASSERT_EQ(Watched(), kWakeOnly + 1);
  server_.reset();
  constexpr int kTurns = 10;  // libcurl's own time-outs may end some.
  for (int i = 0; i < kTurns && Watched() > kWakeOnly; ++i) events_.Turn();
  EXPECT_EQ(Watched(), kWakeOnly) << "else each Turn would end at once";
}

TEST_F(CurlEventsTest, ADescriptorsNumberMayComeBack) {
  std::set<std::multiset<int>> watched;
  for (int round = 0; round < 5; ++round) {
    SCOPED_TRACE(round);
    EXPECT_EQ(Get("/"), "kept");
    AskUntilWatched();
    watched.insert(WatchedBy(epoll_));
    EXPECT_EQ(Get("/last"), "last") << "on the same connection, which is closed by the answer";
    EXPECT_EQ(Watched(), kWakeOnly);
  }
  EXPECT_EQ(server_->Connections(), 5);
  EXPECT_LT(watched.size(), 5U) << "else no number came back";
}

TEST_F(CurlEventsTest, AConnectionThatEndsWithAnAnswerIsMadeAnew) {
  // All of the answer comes, and then the end of the connection instead of its last byte.
  const std::string answer = "HTTP/1.1 200 Scripted\r\nContent-Length: 4\r\n\r\nfull!";
  server_->When("GET", "/end")
      .Reply(200, "full!", {{"Content-Length", "4"}})
      .CloseAfter(answer.size() - 1);
  EXPECT_EQ(Get("/"), "kept");
  AskUntilWatched();
  EXPECT_EQ(Get("/end"), "full");
  EXPECT_EQ(Get("/"), "kept");
  EXPECT_EQ(server_->Connections(), 2);
}

}  // namespace
}  // namespace bindery::cloud
