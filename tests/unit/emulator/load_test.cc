#include <thread>
#include <vector>

#include "emulator_fixture.h"

namespace bindery::emulator {
namespace {

using namespace std::chrono_literals;
using testing::HttpConnection;

class LoadTest : public EmulatorTest {};

TEST_F(LoadTest, DelayedCallsWaitTogether) {
  Call("PUT", "/_emulator/faults", 200, "[{delay: 200ms}]");
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::unique_ptr<HttpConnection>> connections;
  const std::string address = emulator_->Url().substr(std::string("http://").size());
  for (int i = 0; i < 256; ++i) {
    connections.push_back(std::make_unique<HttpConnection>(address));
    connections.back()->SendRequest("GET", "/v1/" + std::string(kPolicyName) + ":getIamPolicy");
  }
  for (const auto& connection : connections) EXPECT_EQ(connection->Read().status, 200);
  // One after the other they would take 51 s.
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 10s);
}

TEST_F(LoadTest, OfManyWritersWithOneEtagOneWins) {
  constexpr int kWriters = 8;
  const std::string body =
      Json{{"policy",
            {{"etag", "ACAB"}, {"bindings", {Binding("roles/x", {"user:a@example.com"})}}}}}
          .dump();
  std::atomic<int> won = 0;
  std::atomic<int> aborted = 0;
  std::vector<std::thread> writers;
  for (int i = 0; i < kWriters; ++i) {
    writers.emplace_back([&] {
      const int status =
          Send("POST", "/v1/" + std::string(kPolicyName) + ":setIamPolicy", {}, body).status;
      if (status == 200) ++won;
      if (status == 409) ++aborted;
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(won, 1);
  EXPECT_EQ(aborted, kWriters - 1);
}

TEST_F(LoadTest, StoppingInTheMiddleOfDelaysReturns) {
  Call("PUT", "/_emulator/faults", 200, "[{delay: 1h}]");
  HttpConnection connection(emulator_->Url().substr(std::string("http://").size()));
  connection.SendRequest("GET", "/v1/" + std::string(kPolicyName) + ":getIamPolicy");
  // The request has arrived once it is counted.
  while (Call("GET", "/_emulator/requests", 200).at("total") == 0) std::this_thread::yield();
  const auto begin = std::chrono::steady_clock::now();
  emulator_.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1))
      << "it must not wait for the delayed call until its deadline";
  EXPECT_TRUE(connection.Closed());
}

}  // namespace
}  // namespace bindery::emulator
