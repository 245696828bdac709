#pragma once

#include <optional>
#include <string>

#include "controller/gates/target_work.h"

namespace bindery::testing {

/// What CheckRunner does, on the caller's thread.
[[nodiscard]] inline controller::CheckResult CheckAsRunner(const controller::CheckJob& job,
                                                           const controller::PolicyReader& stored) {
  controller::EtagAnswer etag = controller::EtagAnswer::kNotAsked;
  if (job.etag_first) {
    const auto reading = job.kind->ReadEtag(*job.connection, job.target.name, job.timeout);
    const Expected<std::string> answered =
        reading ? cloud::Send(*reading, *job.connection->transport, *job.connection->authorizer)
                : Expected<std::string>(Fail(reading.error()));
    const std::optional<controller::EtagAnswer> judged = controller::JudgeEtag(job, answered);
    if (judged == controller::EtagAnswer::kSame) return controller::SameByEtag(job);
    if (!judged) return controller::CheckFetched(job, answered, stored);
    etag = *judged;
  }
  controller::CheckResult result =
      controller::CheckFetched(job, controller::FetchPolicy(job), stored);
  result.etag_answer = etag;
  return result;
}

}  // namespace bindery::testing
