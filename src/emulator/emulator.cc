#include "emulator/emulator.h"

#include <chrono>
#include <fstream>
#include <iterator>

#include "emulator/admin.h"
#include "emulator/call.h"
#include "emulator/cloud.h"
#include "emulator/datadog/api.h"
#include "emulator/delayed_calls.h"
#include "emulator/faults.h"
#include "emulator/google/api/api.h"
#include "emulator/google/api/metadata_api.h"
#include "emulator/google/api/token_api.h"
#include "emulator/seed.h"
#include "httpd/coding/content_coding.h"
#include "httpd/date.h"
#include "httpd/server.h"

namespace bindery::emulator {
namespace {

constexpr std::chrono::seconds kStopDeadline{2};
constexpr std::size_t kMaxBody = 512U << 20U;  // A seed may be large.

Expected<std::vector<Entry>> ReadSeedFile(const std::string& path) {
  if (path.empty()) return std::vector<Entry>();
  std::ifstream file(path, std::ios::binary);
  if (!file) return Fail(Code::kNotFound, "cannot read the seed \"" + path + "\"");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return ReadSeed(text, path);
}

httpd::Response UnknownCall(const httpd::Request& request) {
  if (request.path.rfind("/api/", 0) == 0) return DatadogError(404, "Not found");
  return UnknownPath(request);
}

/// The caller as rate limits know it: a member, a token that is nobody's, or "apiKey/appKey".
std::string NameOfCaller(Cloud& cloud, const Call& call, const httpd::Request& request) {
  if (call.service == Call::Service::kOauth) return call.target;
  const bool datadog = call.service == Call::Service::kDatadog;
  const Access access =
      datadog ? DatadogAccess(cloud, request) : GoogleAccess(cloud, call, request);
  const Credential& who = access.credential;
  if (!who.principal.empty()) return who.principal;
  return who.api_key.empty() ? who.token : who.api_key + "/" + who.app_key;
}

/// In the dialect of the service that was called.
httpd::Response RefusedBody(const httpd::DecodeFault& fault, const httpd::Request& request) {
  const Call call = Classify(request);
  const Call::Service service = call.service;
  if (service == Call::Service::kDatadog) return DatadogError(fault.status, fault.message);
  if (service == Call::Service::kOauth) {
    return OauthError(fault.status, "invalid_request", fault.message);
  }
  if (service == Call::Service::kAdmin) {
    return httpd::JsonResponse(fault.status, Json{{"error", fault.message}}.dump());
  }
  GoogleError error = InvalidArgument(fault.message);
  error.http_status = fault.status;
  return GoogleErrorResponse(error, call.api, request);
}

}  // namespace

struct Emulator::Parts {
  SystemClock system_clock;
  const Clock* clock = nullptr;
  std::unique_ptr<Cloud> cloud;
  Faults faults;
  RequestCounts counts;
  DelayedCalls delayed;
  std::unique_ptr<httpd::Server> server;  // Last: its handlers use the rest.

  void Handle(httpd::Request request, const httpd::Responder& responder);
  void Answer(const httpd::Request& request, const Call& call, const Effect& effect,
              const httpd::Responder& responder);
  Effect EffectOn(const Call& call, const httpd::Request& request);
  httpd::Response Serve(const httpd::Request& request, const Call& call,
                        const Effect& effect) const;
};

httpd::Response Emulator::Parts::Serve(const httpd::Request& request, const Call& call,
                                       const Effect& effect) const {
  switch (call.service) {
    case Call::Service::kGoogle:
      return ServeGoogle(*cloud, call, request,
                         {effect.stale_for, effect.etag, effect.drop_conditions});
    case Call::Service::kOauth:
      return ServeOauth(cloud->identities(), *clock, call, request);
    case Call::Service::kMetadata:
      return ServeMetadata(cloud->identities(), call, request);
    case Call::Service::kDatadog:
      return ServeDatadog(*cloud, call, request, effect.stale_for);
    case Call::Service::kAdmin:
    case Call::Service::kUnknown:
      break;
  }
  return UnknownCall(request);
}

void Emulator::Parts::Answer(const httpd::Request& request, const Call& call, const Effect& effect,
                             const httpd::Responder& responder) {
  if (effect.drop == Fault::Drop::kBefore) return responder.Drop();
  const bool fails = effect.status != 0;
  httpd::Response response;
  if (!fails || effect.apply_then_fail || effect.drop == Fault::Drop::kAfter) {
    response = Serve(request, call, effect);
  }
  if (effect.drop == Fault::Drop::kAfter) return responder.Drop();
  if (fails) response = FaultResponse(effect, call, request);
  if (call.service == Call::Service::kDatadog) {
    for (const auto& [name, value] : effect.headers.fields()) response.headers.Set(name, value);
  }
  response.headers.Set("Date", httpd::HttpDate(clock->Wall() + effect.date_skew));
  counts.AddAnswer(response.body.size());
  responder.Send(std::move(response));
}

Effect Emulator::Parts::EffectOn(const Call& call, const httpd::Request& request) {
  const CallerName caller = [&] { return NameOfCaller(*cloud, call, request); };
  const WallTime now = clock->Wall();
  Effect effect = faults.Match(call, caller, now);
  const bool decided = effect.status != 0 || effect.drop != Fault::Drop::kNo;
  if (decided) return effect;
  if (const auto reading = cloud->limits().Count(call.operation, caller, now)) {
    TakeLimit(reading->verdict, reading->headers, effect);
  }
  return effect;
}

void Emulator::Parts::Handle(httpd::Request request, const httpd::Responder& responder) {
  if (const auto decoded = httpd::DecodeBody(request); !decoded) {
    return responder.Send(RefusedBody(decoded.error(), request));
  }
  const Call call = Classify(request, [this](const std::string& key) { return cloud->Holds(key); });
  if (call.service == Call::Service::kAdmin) {
    return responder.Send(ServeAdmin(*cloud, faults, counts, request));
  }
  counts.Add(call, request);
  const Effect effect = EffectOn(call, request);
  if (effect.delay.count() == 0) return Answer(request, call, effect, responder);
  const auto kept = std::make_shared<const httpd::Request>(std::move(request));
  const DelayedCalls::Id id = delayed.Keep(responder);
  responder.After(effect.delay, [this, id, kept, call, effect, responder] {
    if (delayed.Take(id)) Answer(*kept, call, effect, responder);
  });
}

Expected<std::unique_ptr<Emulator>> Emulator::Start(const Options& options) {
  auto seed = ReadSeedFile(options.seed);
  if (!seed) return Fail(seed.error());
  auto parts = std::make_unique<Parts>();
  parts->clock = options.clock != nullptr ? options.clock : &parts->system_clock;
  auto cloud = Cloud::Open(options.store, *parts->clock);
  if (!cloud) return Fail(cloud.error());
  parts->cloud = std::move(*cloud);
  if (auto added = parts->cloud->Add(std::move(*seed)); !added) return Fail(added.error());

  httpd::ServerOptions server;
  server.listen = options.listen;
  server.max_body_bytes = kMaxBody;
  server.limits.connections = options.most_connections;
  server.io_threads = 2;
  server.workers = 0;  // No handler waits for anything but the store's page cache.
  auto started = httpd::Server::Start(
      server, [raw = parts.get()](httpd::Request request, const httpd::Responder& responder) {
        raw->Handle(std::move(request), responder);
      });
  if (!started) return Fail(started.error());
  parts->server = std::move(*started);
  return std::unique_ptr<Emulator>(new Emulator(std::move(parts)));
}

Emulator::Emulator(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

Emulator::~Emulator() { Stop(); }

std::string Emulator::Url() const { return "http://" + parts_->server->Address(); }

std::uint16_t Emulator::Port() const { return parts_->server->Port(); }

void Emulator::Stop() {
  parts_->delayed.DropAll();
  parts_->server->Stop(kStopDeadline);
}

}  // namespace bindery::emulator
