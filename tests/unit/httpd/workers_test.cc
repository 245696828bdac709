#include "httpd/workers.h"

#include <gtest/gtest.h>

#include <boost/asio/post.hpp>
#include <future>
#include <memory>
#include <string>

namespace bindery::httpd {
namespace {

Request Asked(const std::string& path, bool is_unix) {
  Request request;
  request.path = path;
  request.peer.is_unix = is_unix;
  return request;
}

ServerOptions WithPools(unsigned common, unsigned socket, unsigned vital) {
  ServerOptions options;
  options.workers = common;
  options.socket_workers = socket;
  options.vital_workers = vital;
  options.vital = [](std::string_view path) { return path == "/livez"; };
  return options;
}

TEST(Workers, WithoutPoolsTheReaderCallsTheHandler) {
  const ServerOptions options = WithPools(0, 0, 0);
  const Workers workers(options);
  EXPECT_EQ(workers.For(Asked("/", false)), nullptr);
  EXPECT_EQ(workers.common(), nullptr);
}

TEST(Workers, OnePoolServesAll) {
  const ServerOptions options = WithPools(1, 0, 0);
  const Workers workers(options);
  ASSERT_NE(workers.common(), nullptr);
  EXPECT_EQ(workers.For(Asked("/", false)), workers.common());
  EXPECT_EQ(workers.For(Asked("/", true)), workers.common());
  EXPECT_EQ(workers.For(Asked("/livez", false)), workers.common());
}

TEST(Workers, TheSocketAndVitalPathsHaveTheirOwn) {
  const ServerOptions options = WithPools(1, 1, 1);
  const Workers workers(options);
  const auto* const socket = workers.For(Asked("/", true));
  const auto* const vital = workers.For(Asked("/livez", false));
  EXPECT_EQ(workers.For(Asked("/", false)), workers.common());
  EXPECT_NE(socket, workers.common());
  EXPECT_NE(vital, workers.common());
  EXPECT_NE(socket, vital);
  EXPECT_EQ(workers.For(Asked("/livez", true)), socket);
}

TEST(Workers, KeepWhatHasNotBegunUntilCleared) {
  const ServerOptions options = WithPools(1, 0, 0);
  Workers workers(options);
  std::promise<void> entered;
  std::promise<void> leave;
  boost::asio::post(*workers.common(), [&] {
    entered.set_value();
    leave.get_future().wait();
  });
  entered.get_future().wait();
  auto held = std::make_shared<int>(0);
  const std::weak_ptr<int> waiting = held;
  boost::asio::post(*workers.common(), [held = std::move(held)] { FAIL() << "ran after all"; });
  workers.common()->stop();
  leave.set_value();
  workers.Stop();
  EXPECT_FALSE(waiting.expired());
  workers.Clear();
  EXPECT_TRUE(waiting.expired());
}

}  // namespace
}  // namespace bindery::httpd
