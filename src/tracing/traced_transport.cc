#include "tracing/traced_transport.h"

#include <charconv>
#include <string>
#include <string_view>
#include <utility>

namespace bindery::tracing {
namespace {

constexpr int kFirstFailure = 400;

/// The destination of a request, without the secret parts of its URL.
struct Address {
  std::string full;
  std::string host;
  std::int64_t port = 0;
};

Address MakeAddress(std::string_view url) {
  url = url.substr(0, url.find_first_of("?#"));
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return {};
  const std::string_view before = url.substr(0, scheme + 3);
  const std::string_view rest = url.substr(scheme + 3);
  const std::size_t slash = rest.find('/');
  const std::string_view path = slash == std::string_view::npos ? "" : rest.substr(slash);
  std::string_view authority = rest.substr(0, slash);
  authority.remove_prefix(authority.rfind('@') + 1);  // npos + 1 is 0.

  Address address;
  address.full = std::string(before) + std::string(authority) + std::string(path);
  address.port = before == "https://" ? 443 : 80;
  const std::size_t colon = authority.rfind(':');
  if (colon != std::string_view::npos && authority.find(']', colon) == std::string_view::npos) {
    const std::string_view port = authority.substr(colon + 1);
    std::from_chars(port.data(), port.data() + port.size(), address.port);
    authority = authority.substr(0, colon);
  }
  address.host = authority;
  return address;
}

std::string GetOrigin(const std::string& url) {
  const std::size_t authority = url.find("://");
  if (authority == std::string::npos) return "";
  return url.substr(0, url.find('/', authority + 3));
}

/// By OpenTelemetry's conventions for HTTP clients.
telemetry::Span BeginCall(const cloud::HttpRequest& request,
                          const telemetry::TraceContext& parent) {
  telemetry::Span span;
  span.context = telemetry::MakeSpan(parent);
  span.parent = parent.span;
  span.kind = telemetry::Span::Kind::kClient;
  span.name = request.method;
  if (!request.operation.empty()) span.name += " " + request.service + "." + request.operation;
  Address address = MakeAddress(request.url);
  // The path of a request to act as a service account is that account's name.
  if (request.service == "iamcredentials") address.full = GetOrigin(address.full);
  span.attributes = {{"http.request.method", request.method},
                     {"url.full", std::move(address.full)},
                     {"server.address", std::move(address.host)},
                     {"server.port", address.port}};
  return span;
}

void EndCall(telemetry::Span& span, const Expected<cloud::HttpResponse>& response) {
  if (!response) {
    span.failed = true;
    span.attributes.emplace_back("error.type", std::string(ToString(response.error().code)));
    return;
  }
  span.attributes.emplace_back("http.response.status_code", std::int64_t{response->status});
  if (response->status < kFirstFailure) return;
  span.failed = true;
  span.attributes.emplace_back("error.type", std::to_string(response->status));
}

/// A running request whose span is wanted.
class Call {
 public:
  Call(const cloud::HttpRequest& request, const telemetry::TraceContext& parent,
       std::shared_ptr<telemetry::SpanSink> spans)
      : span_(BeginCall(request, parent)), spans_(std::move(spans)) {
    span_.start = std::chrono::system_clock::now();
  }
  [[nodiscard]] const telemetry::TraceContext& context() const { return span_.context; }

  /// Once.
  void Answered(const Expected<cloud::HttpResponse>& response) {
    // Not the wall clock's difference: it may have been set meanwhile.
    span_.end = span_.start + std::chrono::duration_cast<WallTime::duration>(
                                  std::chrono::steady_clock::now() - begun_);
    EndCall(span_, response);
    spans_->Record(std::move(span_));
  }

 private:
  telemetry::Span span_;
  std::shared_ptr<telemetry::SpanSink> spans_;
  MonoTime begun_ = std::chrono::steady_clock::now();
};

class TracedTransport final : public cloud::Transport {
 public:
  TracedTransport(std::shared_ptr<cloud::Transport> inner,
                  std::shared_ptr<telemetry::SpanSink> spans)
      : inner_(std::move(inner)), spans_(std::move(spans)) {}

  Expected<cloud::HttpResponse> Send(const cloud::HttpRequest& request) override {
    const telemetry::TraceContext& trace = telemetry::CurrentTrace();
    if (!trace.valid()) return inner_->Send(request);
    cloud::HttpRequest traced = request;
    if (!IsWanted(trace)) {
      traced.traceparent = telemetry::ToTraceparent(telemetry::MakeSpan(trace));
      return inner_->Send(traced);
    }
    Call call(request, trace, spans_);
    traced.traceparent = telemetry::ToTraceparent(call.context());
    Expected<cloud::HttpResponse> response = inner_->Send(traced);
    call.Answered(response);
    return response;
  }

  void SendAsync(std::shared_ptr<cloud::HttpRequest> request, Done done) override {
    const telemetry::TraceContext& trace = telemetry::CurrentTrace();
    if (trace.valid() && IsWanted(trace)) {
      auto call = std::make_shared<Call>(*request, trace, spans_);
      request->traceparent = telemetry::ToTraceparent(call->context());
      done = [call, done = std::move(done)](Expected<cloud::HttpResponse> response) {
        call->Answered(response);
        done(std::move(response));
      };
    } else if (trace.valid()) {
      request->traceparent = telemetry::ToTraceparent(telemetry::MakeSpan(trace));
    }
    inner_->SendAsync(std::move(request), std::move(done));
  }

 private:
  [[nodiscard]] bool IsWanted(const telemetry::TraceContext& trace) const {
    return trace.sampled && spans_ != nullptr;
  }

  const std::shared_ptr<cloud::Transport> inner_;
  const std::shared_ptr<telemetry::SpanSink> spans_;
};

}  // namespace

std::shared_ptr<cloud::Transport> Traced(std::shared_ptr<cloud::Transport> inner,
                                         std::shared_ptr<telemetry::SpanSink> spans) {
  return std::make_shared<TracedTransport>(std::move(inner), std::move(spans));
}

}  // namespace bindery::tracing
