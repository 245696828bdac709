#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cloud/connection.h"
#include "core/base/clock.h"
#include "core/base/expected.h"
#include "core/base/mutex.h"
#include "providers/group_directory.h"

namespace bindery::access {

/// Asks services for the direct members of groups, and keeps the answers for some time.
/// Thread-safe.
class GroupAsker {
 public:
  /// A service, and how it is reached: asked for before each question to the service.
  struct Service {
    const providers::GroupDirectory* directory = nullptr;  ///< Never null.
    std::function<Expected<std::shared_ptr<const cloud::Connection>>()> connect;
    std::chrono::milliseconds max_age{0};  ///< How long its answers are kept.
  };

  /// What the services say of a group.
  struct Reading {
    bool known = false;                    ///< Else `direct` has nothing but the reason in `gap`.
    providers::DirectMembers direct = {};  ///< Of the first service that knows the group.
    std::string origin = {};               ///< "Cloud Identity"
    WallTime at = {};                      ///< When the service was asked.
  };

  /// `clock` must outlive the object.
  GroupAsker(std::vector<Service> services, const Clock& clock)
      : services_(std::move(services)), clock_(clock) {}

  /// Of "group:eng@example.com", in lower case. Blocks until the budget ends at most. A refusal is
  /// kept as well, a failure of the way to the service for no longer than this question.
  [[nodiscard]] Reading Read(const std::string& group, providers::GroupBudget& budget);

 private:
  struct Kept {
    Reading reading;
    MonoTime until{};
  };

  [[nodiscard]] std::shared_ptr<const Kept> Find(const std::string& group) const;
  void Keep(const std::string& group, const Reading& reading, std::chrono::milliseconds max_age);

  const std::vector<Service> services_;
  const Clock& clock_;
  mutable Mutex mutex_;
  std::map<std::string, std::shared_ptr<const Kept>> kept_ GUARDED_BY(mutex_);
  std::size_t kept_members_ GUARDED_BY(mutex_) = 0;
};

}  // namespace bindery::access
