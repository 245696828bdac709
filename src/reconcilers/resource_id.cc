#include "reconcilers/resource_id.h"

#include "core/access/claim_part.h"

namespace bindery::reconcilers {

std::string ResourceId::Text() const {
  if (role.empty() || IsWholePolicy(role)) return target;
  const ClaimPart part = ClaimPart::Of(role);
  const std::string id = target + " " + std::string(part.role);
  return part.member.empty() ? id : id + " " + std::string(part.member);
}

}  // namespace bindery::reconcilers
