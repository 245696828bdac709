#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "reconcilers/kind.h"
#include "store/store.h"

namespace bindery {

/// The blocking half of working on a target: run on a worker thread, told everything it needs,
/// touching no engine state.

/// A policy as it is kept: without its etag (which has a column of its own), named by content.
struct PolicyText {
  std::string body;    ///< JSON, as received but for the etag.
  std::string digest;  ///< SHA-256 of the canonical body.
  std::string
      grants_digest;  ///< Of the set of grants: equal whatever order or spelling they come in.
};
[[nodiscard]] PolicyText TextOf(const Observation& observation);

struct CheckJob {
  Target target;
  const Kind* kind = nullptr;
  std::shared_ptr<const Connection> connection;
  Desired desired;
  std::chrono::milliseconds timeout{30'000};
};

struct CheckResult {
  Expected<Observation> observed = Fail(Code::kInternal, "not run");
  TargetPlan plan;
  PolicyText policy;
  std::chrono::nanoseconds duration{0};
};

/// Reads the target and compares. One request.
[[nodiscard]] CheckResult RunCheck(const CheckJob& job);

struct WriteJob {
  CheckJob check;
  Observation before;
  TargetPlan plan;  ///< What may be written: the guard may have taken removals out.
  std::string digest_before;
  std::string actor;
  WallTime started;
};

struct WriteResult {
  Expected<Observation> written = Fail(Code::kInternal, "not run");
  TargetPlan left;  ///< What still differs afterwards.
  PolicyText policy;
  std::int64_t intent = 0;     ///< 0 when the journal failed; then nothing was sent.
  std::string digest_desired;  ///< Of the grants the write asks for.
  std::chrono::nanoseconds duration{0};
};

/// Journals the intent, writes the target, compares with what the service says it stored. One
/// request.
[[nodiscard]] WriteResult RunWrite(const WriteJob& job, Store& store);

}  // namespace bindery
