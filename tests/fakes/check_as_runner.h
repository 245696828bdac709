#pragma once

#include <optional>
#include <string>

#include "controller/gates/target_work.h"

namespace bindery::testing {

/// What CheckRunner does, on the caller's thread.
[[nodiscard]] inline CheckResult CheckAsRunner(const CheckJob& job, const PolicyReader& stored) {
  EtagAnswer etag = EtagAnswer::kNotAsked;
  if (job.etag_first) {
    const auto reading = job.kind->ReadEtag(*job.connection, job.target.name, job.timeout);
    const Expected<std::string> answered =
        reading ? Send(*reading, *job.connection->transport, *job.connection->authorizer)
                : Expected<std::string>(Fail(reading.error()));
    const std::optional<EtagAnswer> judged = JudgeEtag(job, answered);
    if (judged == EtagAnswer::kSame) return SameByEtag(job);
    if (!judged) return CheckFetched(job, answered, stored);
    etag = *judged;
  }
  CheckResult result = CheckFetched(job, FetchPolicy(job), stored);
  result.etag_answer = etag;
  return result;
}

}  // namespace bindery::testing
