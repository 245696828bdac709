#include "cloud/rate_limits.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace bindery {
namespace {

/// Longer periods than a day are no rate limits of this kind.
constexpr double kLongestSeconds = 86'400;

std::optional<double> NumberIn(const HttpResponse& response, std::string_view header) {
  const std::optional<std::string> text = response.Header(header);
  if (!text) return std::nullopt;
  double number = 0;
  const char* const end = text->data() + text->size();
  const auto [stopped, status] = std::from_chars(text->data(), end, number);
  if (status != std::errc() || stopped != end || !(number >= 0)) return std::nullopt;
  if (!std::isfinite(number)) return std::nullopt;
  return number;
}

std::chrono::seconds Seconds(double number) {
  return std::chrono::seconds(static_cast<std::int64_t>(std::min(number, kLongestSeconds)));
}

class NotingTransport final : public Transport {
 public:
  NotingTransport(std::shared_ptr<Transport> inner, std::shared_ptr<RateLimitLog> log)
      : inner_(std::move(inner)), log_(std::move(log)) {}

  Expected<HttpResponse> Send(const HttpRequest& request) override {
    Expected<HttpResponse> response = inner_->Send(request);
    NoteIn(*log_, response);
    return response;
  }

  void SendAsync(std::shared_ptr<HttpRequest> request, Done done) override {
    inner_->SendAsync(std::move(request),
                      [log = log_, done = std::move(done)](Expected<HttpResponse> response) {
                        NoteIn(*log, response);
                        done(std::move(response));
                      });
  }

 private:
  static void NoteIn(RateLimitLog& log, const Expected<HttpResponse>& response) {
    if (!response) return;
    if (auto reading = ReadRateLimit(*response)) log.Note(std::move(*reading));
  }

  const std::shared_ptr<Transport> inner_;
  const std::shared_ptr<RateLimitLog> log_;
};

}  // namespace

std::optional<RateLimitReading> ReadRateLimit(const HttpResponse& response) {
  const auto limit = NumberIn(response, "x-ratelimit-limit");
  if (!limit) return std::nullopt;  // Most services say nothing of it.
  const auto period = NumberIn(response, "x-ratelimit-period");
  const auto remaining = NumberIn(response, "x-ratelimit-remaining");
  const auto reset = NumberIn(response, "x-ratelimit-reset");
  if (!period || !remaining || !reset || *limit < 1 || *period < 1) return std::nullopt;
  RateLimitReading reading;
  reading.bucket = response.Header("x-ratelimit-name").value_or("");
  reading.limit = *limit;
  reading.period = Seconds(*period);
  reading.remaining = *remaining;
  reading.reset = Seconds(*reset);
  return reading;
}

void RateLimitLog::Note(RateLimitReading reading) {
  const std::scoped_lock lock(mutex_);
  std::string bucket = reading.bucket;
  readings_.insert_or_assign(std::move(bucket), std::move(reading));
}

std::vector<RateLimitReading> RateLimitLog::Take() {
  std::map<std::string, RateLimitReading> taken;
  {
    const std::scoped_lock lock(mutex_);
    taken.swap(readings_);
  }
  std::vector<RateLimitReading> readings;
  readings.reserve(taken.size());
  for (auto& [bucket, reading] : taken) readings.push_back(std::move(reading));
  return readings;
}

std::shared_ptr<Transport> NotingRateLimits(std::shared_ptr<Transport> inner,
                                            std::shared_ptr<RateLimitLog> log) {
  return std::make_shared<NotingTransport>(std::move(inner), std::move(log));
}

}  // namespace bindery
