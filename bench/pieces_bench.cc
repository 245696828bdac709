// The pieces an idle pass and a cold start are made of, each beside the floor it stands on: the
// same bytes parsed by the libraries alone.

#include <benchmark/benchmark.h>

#include <string>

#include "admission/admission.h"
#include "cel/evaluation/evaluator.h"
#include "cel/evaluation/time.h"
#include "cel/syntax/parser.h"
#include "controller/gates/work_queue.h"
#include "core/base/json.h"
#include "core/text/digest.h"
#include "manifests/documents/loader.h"
#include "providers/google/conditions/checker.h"
#include "providers/registry/kinds.h"
#include "tracing/traced_transport.h"

namespace bindery {
namespace {

constexpr const char* kManifest = R"(apiVersion: cloudnative:networksecurity/v1
kind: AuthorizationPolicyIamBinding
metadata:
  name: payments-viewers
  labels: {team: payments}
spec:
  name: projects/acme/locations/global/authorizationPolicies/payments
  role: roles/viewer
  members:
    - user:ana@example.com
    - group:sre@example.com
  condition:
    title: until-june
    expression: request.time < timestamp("2027-06-01T00:00:00Z")
)";

/// A policy document with that many roles of five members each.
Json RecordPolicy(int roles) {
  Json bindings = Json::array();
  for (int r = 0; r < roles; ++r) {
    Json members = Json::array();
    for (int m = 0; m < 5; ++m) {
      members.push_back("user:u" + std::to_string(m) + "@example.com");
    }
    bindings.push_back({{"role", "roles/r" + std::to_string(r)}, {"members", members}});
  }
  return {{"version", 1}, {"etag", "BwWWja0YfJA="}, {"bindings", bindings}};
}

void BM_FloorParseJsonOfManifest(benchmark::State& state) {
  const std::string text =
      R"json({"apiVersion":"cloudnative:networksecurity/v1",)json"
      R"json("kind":"AuthorizationPolicyIamBinding","metadata":{"name":"payments-viewers",)json"
      R"json("labels":{"team":"payments"}},"spec":{"name":)json"
      R"json("projects/acme/locations/global/authorizationPolicies/payments",)json"
      R"json("role":"roles/viewer","members":["user:ana@example.com","group:sre@example.com"],)json"
      R"json("condition":{"title":"until-june","expression":)json"
      R"json("request.time < timestamp(\"2027-06-01T00:00:00Z\")"}}})json";
  for (auto _ : state) benchmark::DoNotOptimize(ParseJson(text));
}
BENCHMARK(BM_FloorParseJsonOfManifest);

void BM_LoadManifest(benchmark::State& state) {
  const providers::Kinds kinds;
  for (auto _ : state) benchmark::DoNotOptimize(manifests::LoadFile(kManifest, "a.yaml", kinds));
}
BENCHMARK(BM_LoadManifest);

/// One file of many documents; a document of it must not cost more than one of a small file.
void BM_LoadFileOfManifests(benchmark::State& state) {
  const providers::Kinds kinds;
  std::string text;
  for (int i = 0; i < state.range(0); ++i) {
    std::string manifest = kManifest;
    manifest.replace(manifest.find("payments"), 8, "p" + std::to_string(i));
    text += "---\n" + manifest;
  }
  for (auto _ : state) benchmark::DoNotOptimize(manifests::LoadFile(text, "a.yaml", kinds));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_LoadFileOfManifests)->Arg(1)->Arg(100);

void BM_Sha256(benchmark::State& state) {
  const std::string text(static_cast<std::size_t>(state.range(0)), 'x');
  for (auto _ : state) benchmark::DoNotOptimize(Sha256Hex(text));
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_Sha256)->Arg(300)->Arg(30'000);

void BM_FloorParsePolicy(benchmark::State& state) {
  const std::string text = RecordPolicy(static_cast<int>(state.range(0))).dump();
  for (auto _ : state) benchmark::DoNotOptimize(ParseJson(text));
}
BENCHMARK(BM_FloorParsePolicy)->Arg(20)->Arg(200);

void BM_CanonicalJsonOfPolicy(benchmark::State& state) {
  const Json policy = RecordPolicy(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(CanonicalJson(policy));
}
BENCHMARK(BM_CanonicalJsonOfPolicy)->Arg(20)->Arg(200);

void BM_PlanPolicyInSync(benchmark::State& state) {
  const providers::Kinds kinds;
  const reconcilers::Kind& kind = *kinds.FindByName("AuthorizationPolicyIamBinding");
  reconcilers::Observation seen;
  seen.document = RecordPolicy(static_cast<int>(state.range(0)));
  reconcilers::Desired desired;
  for (const Json& binding : seen.document["bindings"]) {
    reconcilers::Claim claim;
    claim.resource = binding["role"];
    claim.declaration.role = binding["role"];
    for (const Json& member : binding["members"]) {
      claim.declaration.grants.push_back({binding["role"], member});
    }
    seen.grants.insert(seen.grants.end(), claim.declaration.grants.begin(),
                       claim.declaration.grants.end());
    desired.claims.push_back(std::move(claim));
  }
  for (auto _ : state) benchmark::DoNotOptimize(kind.Plan(desired, seen));
}
BENCHMARK(BM_PlanPolicyInSync)->Arg(20)->Arg(200);

/// Who is in force among so many newcomers, two roles a target.
void BM_Admit(benchmark::State& state) {
  admission::AdmissionInput input;
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    manifests::Manifest manifest;
    manifest.name = "m" + std::to_string(i);
    manifest.source = {"f" + std::to_string(i / 10) + ".yaml", static_cast<int>(i % 10) * 12 + 1};
    input.manifests.push_back(std::make_shared<const manifests::Manifest>(std::move(manifest)));
  }
  const admission::PlacementResolver place =
      [](const std::shared_ptr<const manifests::Manifest>& manifest)
      -> tl::expected<admission::Resolved, admission::Unplaced> {
    const int number = std::stoi(manifest->name.substr(1));
    return admission::Resolved{manifest,
                               {{"Kind", "", "target" + std::to_string(number / 2)},
                                "provider",
                                "role" + std::to_string(number % 2)}};
  };
  for (auto _ : state) benchmark::DoNotOptimize(admission::Admit(input, place));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_Admit)->Arg(1'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

void BM_QueueAddTakeDone(benchmark::State& state) {
  controller::WorkQueue queue;
  const MonoTime now{};
  std::vector<TargetKey> keys;
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    keys.emplace_back(Target{"Kind", "", std::to_string(i)});
    queue.Add(keys.back(), Priority::kPeriodic, now + std::chrono::hours(1));
  }
  std::size_t next = 0;
  for (auto _ : state) {
    const TargetKey& key = keys[next++ % keys.size()];
    queue.Add(key, Priority::kChange, now);
    benchmark::DoNotOptimize(queue.Take(now));
    queue.Done(key);
  }
}
BENCHMARK(BM_QueueAddTakeDone)->Arg(1'000)->Arg(100'000);

constexpr const char* kCondition =
    "request.time < timestamp(\"2027-06-01T00:00:00Z\") && "
    "resource.name.startsWith(\"projects/acme/\") && request.time.getHours(\"Europe/Berlin\") >= 9";

void BM_ParseCondition(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(cel::Parse(kCondition));
}
BENCHMARK(BM_ParseCondition);

void BM_CheckCondition(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(google::conditions::CheckCondition(kCondition));
}
BENCHMARK(BM_CheckCondition);

void BM_EvaluateCondition(benchmark::State& state) {
  const Expected<cel::ExprPtr> condition = cel::Parse(kCondition);
  cel::Activation activation = cel::IamActivation();
  activation.Set("request.time", cel::Value(*cel::ParseTimestamp("2026-11-21T10:00:00Z")));
  activation.Set("resource.name", cel::Value(std::string("projects/acme/locations/global")));
  for (auto _ : state) benchmark::DoNotOptimize(cel::Evaluate(**condition, activation));
}
BENCHMARK(BM_EvaluateCondition);

/// Answers at once: what is left is what the wrapping costs.
class NoTransport final : public cloud::Transport {
 public:
  Expected<cloud::HttpResponse> Send(const cloud::HttpRequest& /*request*/) override {
    return cloud::HttpResponse{};
  }
  void SendAsync(std::shared_ptr<cloud::HttpRequest> request, Done done) override {
    benchmark::DoNotOptimize(request->traceparent.data());
    done(cloud::HttpResponse{});
  }
};

/// A check that is not exported (argument 0), or is: its trace, and a request that carries it.
void BM_TraceACheck(benchmark::State& state) {
  struct Dropping final : telemetry::SpanSink {
    void Record(telemetry::Span span) override { benchmark::DoNotOptimize(span.name.data()); }
  };
  const auto transport =
      tracing::Traced(std::make_shared<NoTransport>(), std::make_shared<Dropping>());
  for (auto _ : state) {
    const telemetry::TraceScope scope(telemetry::NewTrace(static_cast<double>(state.range(0))));
    transport->SendAsync(std::make_shared<cloud::HttpRequest>(),
                         [](const Expected<cloud::HttpResponse>& /*response*/) {});
  }
}
BENCHMARK(BM_TraceACheck)->Arg(0)->Arg(1);

}  // namespace
}  // namespace bindery

BENCHMARK_MAIN();
