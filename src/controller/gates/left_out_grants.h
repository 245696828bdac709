#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/access/grant.h"
#include "core/access/status.h"
#include "core/base/error.h"

namespace bindery::reconcilers {
struct Desired;
struct TargetPlan;
}  // namespace bindery::reconcilers

namespace bindery::controller {

struct CheckJob;

/// A grant as it was declared at some time.
struct DeclaredGrant {
  Grant grant;
  std::string manifests;  ///< Digests of those that declare it: others are another declaration.
  bool operator==(const DeclaredGrant&) const = default;
};

/// Why a grant is left out of writes.
enum class LeftOutAs {
  kRefused,   ///< The service refused it.
  kSuspect,   ///< The service refused several at once, this one among them, and takes no part.
  kNew,       ///< It was refused in a way that passes within minutes.
  kSearched,  ///< It refused several at once, and which one it is, is being found out.
};

/// An addition that the service is known, or suspected, to refuse.
struct LeftOutGrant {
  DeclaredGrant declared;
  LeftOutAs as = LeftOutAs::kRefused;
  Error error;         ///< The service's words.
  bool tried = false;  ///< It is written as soon as there is nothing else to add.
};

/// The grants left out of writes to a target.
using LeftOutGrants = std::vector<LeftOutGrant>;

/// These grants as declared by the manifests of the job. Pure.
[[nodiscard]] std::vector<DeclaredGrant> AsDeclaredBy(const CheckJob& job,
                                                      const reconcilers::Desired& desired,
                                                      const std::vector<Grant>& grants);

/// How many additions of the plan are left out.
[[nodiscard]] std::size_t LeftOutIn(const reconcilers::TargetPlan& plan);

/// The statuses of the resources of whose grants some are left out: with the service's words. Pure.
[[nodiscard]] std::vector<std::pair<std::string, ResourceStatus>> StatusesOfLeftOut(
    const CheckJob& job, const reconcilers::TargetPlan& plan);

}  // namespace bindery::controller
