#include "cel/evaluation/activation.h"

#include <algorithm>
#include <iterator>

namespace bindery::cel {

Unknown Merge(const Unknown& left, const Unknown& right) {
  Unknown both;
  std::set_union(left.attributes.begin(), left.attributes.end(), right.attributes.begin(),
                 right.attributes.end(), std::back_inserter(both.attributes));
  return both;
}

const Activation::Entry* Activation::Find(const std::string& path) const {
  const auto found = entries_.find(path);
  return found == entries_.end() ? nullptr : &found->second;
}

bool Activation::HasBeneath(const std::string& path) const {
  const std::string prefix = path + ".";
  const auto next = entries_.lower_bound(prefix);
  return next != entries_.end() && next->first.starts_with(prefix);
}

Activation IamActivation() {
  Activation activation;
  for (const char* path :
       {"resource.service", "resource.type", "resource.name", "resource.hasTagKey",
        "resource.hasTagKeyId", "resource.matchTag", "resource.matchTagId", "request.time",
        "request.path", "request.host", "request.auth", "destination.ip", "destination.port",
        "principal.type", "principal.subject", "api.getAttribute",
        "compute.isForwardingRuleCreationOperation", "compute.matchLoadBalancingSchemes"}) {
    activation.SetUnknown(path);
  }
  return activation;
}

}  // namespace bindery::cel
