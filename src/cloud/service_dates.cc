#include "cloud/service_dates.h"

#include <algorithm>
#include <utility>

#include "cloud/retry_after.h"

namespace bindery::cloud {
namespace {

constexpr int kFirstSuccess = 200;
constexpr int kFirstNoSuccess = 300;

class ServiceDateTransport final : public Transport {
 public:
  ServiceDateTransport(std::shared_ptr<Transport> inner, std::shared_ptr<ServiceDates> dates,
                       std::shared_ptr<const Clock> clock)
      : inner_(std::move(inner)), dates_(std::move(dates)), clock_(std::move(clock)) {}

  Expected<HttpResponse> Send(const HttpRequest& request) override {
    Expected<HttpResponse> response = inner_->Send(request);
    NoteIn(*dates_, request.service, response, *clock_);
    return response;
  }

  void SendAsync(std::shared_ptr<HttpRequest> request, Done done) override {
    std::string service = request->service;
    inner_->SendAsync(std::move(request),
                      [dates = dates_, clock = clock_, service = std::move(service),
                       done = std::move(done)](Expected<HttpResponse> response) {
                        NoteIn(*dates, service, response, *clock);
                        done(std::move(response));
                      });
  }

 private:
  static void NoteIn(ServiceDates& dates, const std::string& service,
                     const Expected<HttpResponse>& response, const Clock& clock) {
    if (!response) return;
    if (const auto date = ReadServiceDate(*response)) dates.Note(service, *date, clock.Mono());
  }

  const std::shared_ptr<Transport> inner_;
  const std::shared_ptr<ServiceDates> dates_;
  const std::shared_ptr<const Clock> clock_;
};

/// The text changes once a second, and many answers come within a second.
std::optional<WallTime> FindDate(const std::string& text) {
  struct Read {
    std::string text;
    std::optional<WallTime> date;
  };
  thread_local Read last;
  if (last.text != text) last = {text, ParseHttpDate(text)};
  return last.date;
}

}  // namespace

std::optional<WallTime> ReadServiceDate(const HttpResponse& response) {
  if (response.status < kFirstSuccess || response.status >= kFirstNoSuccess) return std::nullopt;
  const std::optional<std::string> age = response.Header("age");
  if (age && *age != "0") return std::nullopt;
  const std::optional<std::string> date = response.Header("date");
  return date ? FindDate(*date) : std::nullopt;
}

void ServiceDates::Note(const std::string& service, WallTime date, MonoTime at) {
  const MutexLock lock(mutex_);
  const auto known = std::find_if(dates_.begin(), dates_.end(), [&](const ServiceDate& other) {
    return other.service == service;
  });
  if (known == dates_.end()) {
    dates_.push_back({service, date, at});
  } else {
    known->date = date;
    known->at = at;
  }
}

std::vector<ServiceDate> ServiceDates::Take() {
  const MutexLock lock(mutex_);
  return std::exchange(dates_, {});
}

std::shared_ptr<Transport> NotingDates(std::shared_ptr<Transport> inner,
                                       std::shared_ptr<ServiceDates> dates,
                                       std::shared_ptr<const Clock> clock) {
  return std::make_shared<ServiceDateTransport>(std::move(inner), std::move(dates),
                                                std::move(clock));
}

}  // namespace bindery::cloud
