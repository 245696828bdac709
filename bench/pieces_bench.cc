// The pieces an idle pass and a cold start are made of, each beside the floor it stands on: the
// same bytes parsed as JSON by the library alone.

#include <benchmark/benchmark.h>

#include <string>

#include "controller/work_queue.h"
#include "core/json.h"
#include "manifests/loader.h"
#include "reconcilers/kinds.h"

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
Json PolicyOf(int roles) {
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
      R"({"apiVersion":"cloudnative:networksecurity/v1","kind":"AuthorizationPolicyIamBinding",)"
      R"("metadata":{"name":"payments-viewers","labels":{"team":"payments"}},"spec":{"name":)"
      R"("projects/acme/locations/global/authorizationPolicies/payments","role":"roles/viewer",)"
      R"("members":["user:ana@example.com","group:sre@example.com"],"condition":{"title":)"
      R"("until-june","expression":"request.time < timestamp(\"2027-06-01T00:00:00Z\")"
}
}
})";
  for (auto _ : state) benchmark::DoNotOptimize(ParseJson(text));
}
BENCHMARK(BM_FloorParseJsonOfManifest);

void BM_LoadManifest(benchmark::State& state) {
  const Kinds kinds;
  const auto schemas = kinds.Schemas();
  for (auto _ : state) benchmark::DoNotOptimize(LoadFile(kManifest, "a.yaml", schemas));
}
BENCHMARK(BM_LoadManifest);

void BM_FloorParsePolicy(benchmark::State& state) {
  const std::string text = PolicyOf(static_cast<int>(state.range(0))).dump();
  for (auto _ : state) benchmark::DoNotOptimize(ParseJson(text));
}
BENCHMARK(BM_FloorParsePolicy)->Arg(20)->Arg(200);

void BM_PlanPolicyInSync(benchmark::State& state) {
  const Kinds kinds;
  const Kind& kind = *kinds.FindByName("AuthorizationPolicyIamBinding");
  Observation seen;
  seen.document = PolicyOf(static_cast<int>(state.range(0)));
  Desired desired;
  for (const Json& binding : seen.document["bindings"]) {
    Claim claim;
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

void BM_QueueAddTakeDone(benchmark::State& state) {
  WorkQueue queue;
  const MonoTime now{};
  std::int64_t next = 0;
  for (; next < state.range(0); ++next) {
    queue.Add(std::to_string(next), Priority::kPeriodic, now + std::chrono::hours(1));
  }
  for (auto _ : state) {
    const std::string key = std::to_string(next++ % state.range(0));
    queue.Add(key, Priority::kChange, now);
    queue.Take(now);
    queue.Done(key);
  }
}
BENCHMARK(BM_QueueAddTakeDone)->Arg(1'000)->Arg(100'000);

}  // namespace
}  // namespace bindery

BENCHMARK_MAIN();
