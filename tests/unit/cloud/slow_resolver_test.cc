// A program of its own: its getaddrinfo takes the place of the C library's.

#include <dlfcn.h>
#include <netdb.h>

#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>

#include "cloud/transport.h"
#include "support/http_impostor.h"
#include "support/matchers.h"

namespace {

/// Holds look-ups of "hangs.example" until it is opened.
class Resolver {
 public:
  void Hold() {
    std::unique_lock lock(mutex_);
    ++held_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_; });
    --held_;
    changed_.notify_all();
  }
  void AwaitHeld() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return held_ > 0; });
  }
  void Open() {
    std::unique_lock lock(mutex_);
    open_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return held_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int held_ = 0;
  bool open_ = false;
};

Resolver& TheResolver() {
  static Resolver resolver;
  return resolver;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int getaddrinfo(const char* node,
                                                                  const char* service,
                                                                  const addrinfo* hints,
                                                                  addrinfo** result) {
  if (node != nullptr && std::strcmp(node, "hangs.example") == 0) {
    TheResolver().Hold();
    return EAI_AGAIN;
  }
  using Function = int (*)(const char*, const char*, const addrinfo*, addrinfo**);
  static const auto kNext = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "getaddrinfo"));
  return kNext(node, service, hints, result);
}

namespace bindery::cloud {
namespace {

using testing::HttpImpostor;
using testing::IsOk;

TEST(SlowResolver, AnAddressThatIsNotFoundInTimeHoldsUpNobodyElse) {
  HttpImpostor server;
  server.When("GET", "/").Reply(200, "{}");
  CurlTransportOptions options;
  options.user_agent = "bindery/test";
  options.proxy = "none";
  options.connect_timeout = std::chrono::milliseconds(50);
  CurlTransport transport(options);
  Expected<HttpResponse> hanging = HttpResponse{};
  std::thread caller([&] {
    HttpRequest request;
    request.url = "http://hangs.example/";
    hanging = transport.Send(request);
  });
  TheResolver().AwaitHeld();
  // It ends by its own timeout, though the look-up goes on.
  caller.join();
  ASSERT_FALSE(hanging.has_value());
  EXPECT_EQ(hanging.error().code, Code::kDeadlineExceeded);
  HttpRequest request;
  request.url = server.Url() + "/";
  EXPECT_THAT(transport.Send(request), IsOk());
  TheResolver().Open();
}

}  // namespace
}  // namespace bindery::cloud
