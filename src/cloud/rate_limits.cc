#include "cloud/rate_limits.h"

#include <utility>

#include "cloud/http_errors.h"

namespace bindery::cloud {
namespace {

class RateLimitTransport final : public Transport {
 public:
  RateLimitTransport(std::shared_ptr<Transport> inner, std::shared_ptr<RateLimitLog> log,
                     RateLimitReader read)
      : inner_(std::move(inner)), log_(std::move(log)), read_(read) {}

  Expected<HttpResponse> Send(const HttpRequest& request) override {
    Expected<HttpResponse> response = inner_->Send(request);
    NoteIn(*log_, read_, request.service, response);
    return response;
  }

  void SendAsync(std::shared_ptr<HttpRequest> request, Done done) override {
    std::string api = request->service;
    inner_->SendAsync(std::move(request),
                      [log = log_, read = read_, api = std::move(api),
                       done = std::move(done)](Expected<HttpResponse> response) {
                        NoteIn(*log, read, api, response);
                        done(std::move(response));
                      });
  }

 private:
  static void NoteIn(RateLimitLog& log, RateLimitReader read, const std::string& api,
                     const Expected<HttpResponse>& response) {
    if (!response) return;
    std::optional<RateLimitReading> reading = read(*response);
    if (!reading) return;
    reading->api = api;
    reading->refused = response->status == kTooManyRequests;
    log.Note(std::move(*reading));
  }

  const std::shared_ptr<Transport> inner_;
  const std::shared_ptr<RateLimitLog> log_;
  const RateLimitReader read_;
};

}  // namespace

void RateLimitLog::Note(RateLimitReading reading) {
  const MutexLock lock(mutex_);
  RateLimitReading& noted = readings_[{reading.api, reading.bucket}];
  reading.refused = reading.refused || noted.refused;
  noted = std::move(reading);
}

std::vector<RateLimitReading> RateLimitLog::Take() {
  std::map<std::pair<std::string, std::string>, RateLimitReading> taken;
  {
    const MutexLock lock(mutex_);
    taken.swap(readings_);
  }
  std::vector<RateLimitReading> readings;
  readings.reserve(taken.size());
  for (auto& [bucket, reading] : taken) readings.push_back(std::move(reading));
  return readings;
}

std::shared_ptr<Transport> NotingRateLimits(std::shared_ptr<Transport> inner,
                                            std::shared_ptr<RateLimitLog> log,
                                            RateLimitReader read) {
  if (read == nullptr) return inner;
  return std::make_shared<RateLimitTransport>(std::move(inner), std::move(log), read);
}

}  // namespace bindery::cloud
