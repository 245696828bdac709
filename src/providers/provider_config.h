#pragma once

#include <any>
#include <map>
#include <string>
#include <typeindex>

#include "core/access/just_in_time.h"

namespace bindery::providers {

/// Our own limits, below the service's limits. 0: no limit of ours.
struct QuotaConfig {
  double requests_per_second = 0;
  int burst = 0;          ///< 0: one second's worth.
  double headroom = 0.2;  ///< The part of an announced limit that is left to others; below 1.
};

/// The settings of one type of provider, as a structure of its folder. The configuration of a
/// provider without faults holds only the settings of its own type.
class OwnSettings {
 public:
  template <typename Settings>
  [[nodiscard]] Settings& Of() {
    std::any& part = parts_[typeid(Settings)];
    if (!part.has_value()) part = Settings();
    return *std::any_cast<Settings>(&part);
  }

  template <typename Settings>
  [[nodiscard]] const Settings& Of() const {
    static const Settings kDefaults;
    const auto part = parts_.find(typeid(Settings));
    return part == parts_.end() ? kDefaults : *std::any_cast<Settings>(&part->second);
  }

 private:
  std::map<std::type_index, std::any> parts_;
};

/// One cloud account.
struct ProviderConfig {
  std::string name;
  std::string type;  ///< Which provider it is: "cloudnative".
  bool embedded = true;
  QuotaConfig quota;
  std::string project;    ///< Completes names that carry none; may be empty.
  std::string principal;  ///< The member that calls are made as; empty: the credentials'.
  /// As Config::just_in_time, where a service of the provider gives access on request.
  JustInTimeProof just_in_time = JustInTimeProof::kGrant;
  OwnSettings own;
};

}  // namespace bindery::providers
