#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/clock.h"
#include "fakes/fake_cloud.h"
#include "model/directory.h"

namespace bindery::model {

/// How a service answers a reading wrongly.
enum class Lie {
  kUnavailable,
  kNotFound,
  kForbidden,
  kWaitForDays,  ///< 429 with a Retry-After of days.
  kEmptyObject,  ///< {}
  kNoBindings,   ///< {"version":1}
  kEmptyNoEtag,  ///< {"bindings":[]}
  kEmptied,      ///< No bindings, all else as it is.
  kNoEtag,       ///< The policy, but without an etag.
  kOther,        ///< The policy of another target.
  kProxy,        ///< A 404 of somebody before the service.
  kOtherId,      ///< Of the restriction policy: another id for the name of the team in it.
};
inline constexpr int kLies = 12;

/// How a write goes wrong.
enum class Refusal {
  kUnavailable,
  kLost,
  kUnsent,
  kForbidden,
  kOddAnswer,
  kContent  ///< One member of each manifest does not exist; which one, the service does not say.
};
inline constexpr int kRefusals = 6;

/// Both clouds with faults that last for a time, and somebody else who writes. What they hold and
/// what the daemon does to them an observer is told.
class Cloud final : public cloud::Transport {
 public:
  /// One request of the daemon that changed, or was to change, a policy.
  struct Change {
    std::string target;
    std::set<GrantText> before;
    std::set<GrantText> after;
    bool has_etag = true;  ///< The request named the policy it was made for.
  };

  Cloud(std::shared_ptr<testing::FakeCloud> inner, const MonoTime& now);

  [[nodiscard]] std::set<GrantText> Grants(const std::string& target) const;
  [[nodiscard]] std::set<GrantText> All() const;

  // Somebody else.
  void Foreign(const std::string& target, int who);
  void Strip(const std::string& target, int which);

  void Tell(const std::string& target, Lie lie, MonoTime until) { lies_[target] = {lie, until}; }
  void Refuse(const std::string& target, Refusal how, MonoTime until) {
    refusals_[target] = {how, until};
  }
  /// Another writer comes right before, or after, the next write.
  void Race(const std::string& target, bool after, int who) {
    races_[target] = {!after, after, who};
  }
  /// Another writer takes back whatever is written to an IAM policy.
  void Rival(const std::string& target, MonoTime until) { rivals_[target] = until; }
  void EndFaults();

  /// Since when readings of the target are answered with less than it holds; nothing: they are not.
  [[nodiscard]] std::optional<MonoTime> EmptiedSince(const std::string& target) const;
  /// It ever was answered so, and what was not shown seemed to come anew.
  [[nodiscard]] bool WasShortened(const std::string& target) const {
    return shortened_.contains(target);
  }
  /// Since when the daemon's lookups give another id; nothing: they do not.
  [[nodiscard]] std::optional<MonoTime> other_id_since() const { return other_id_since_; }
  /// How many grants the last good reading showed.
  [[nodiscard]] std::size_t LastRead(const std::string& target) const;
  /// The daemon that knew it is no more.
  void ForgetReadings() {
    last_read_.clear();
    other_id_since_.reset();
  }
  void ForgetReading(const std::string& target) { last_read_.erase(target); }
  /// Somebody else wrote there besides moves of its own.
  [[nodiscard]] const std::set<std::string>& raced() const { return raced_; }

  Expected<cloud::HttpResponse> Send(const cloud::HttpRequest& request) override;

  std::function<void()> before_write = [] {};
  std::function<void(const Change&)> changed = [](const Change&) {};
  int writes = 0;

 private:
  template <typename How>
  struct Lasting {
    How how;
    MonoTime until;
  };
  struct Racer {
    bool before = false;
    bool after = false;
    int who = 0;
  };

  [[nodiscard]] static std::string ToTarget(const cloud::HttpRequest& request);
  Expected<cloud::HttpResponse> Read(const cloud::HttpRequest& request, const std::string& target);
  cloud::HttpResponse LookUp();
  [[nodiscard]] cloud::HttpResponse Lied(Lie lie, const std::string& target,
                                         cloud::HttpResponse truth);
  Expected<cloud::HttpResponse> Write(const cloud::HttpRequest& request, const std::string& target);
  [[nodiscard]] bool BringsUnknown(const cloud::HttpRequest& request,
                                   const std::string& target) const;
  void TakeBack(const std::string& target, const Json& bindings);
  void NoteReading(const std::string& target, std::size_t shown);

  std::shared_ptr<testing::FakeCloud> inner_;
  const MonoTime& now_;
  std::map<std::string, Lasting<Lie>> lies_;
  std::map<std::string, Lasting<Refusal>> refusals_;
  std::map<std::string, Racer> races_;
  std::map<std::string, MonoTime> rivals_;
  std::map<std::string, MonoTime> emptied_since_;
  std::optional<MonoTime> other_id_since_;
  std::map<std::string, std::size_t> last_read_;
  std::set<std::string> raced_;
  std::set<std::string> shortened_;
};

}  // namespace bindery::model
