#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "controller/calls/call_budget.h"
#include "controller/calls/circuit_breaker.h"
#include "core/base/clock.h"
#include "core/base/error.h"

namespace bindery::controller {

/// The part of a quota that calls for several targets share.
struct QuotaKey {
  std::string provider;
  std::string quota_project;  ///< Whose quota is used; empty where the service counts otherwise.
  std::string host;           ///< Base URL of the service.
  std::string api = {};       ///< HttpRequest::service of its calls, as RateLimitReading::api.
  auto operator<=>(const QuotaKey&) const = default;
};

/// Whether a call to a cloud may go now: its quota has room and its host answers.
///
/// All calls of a provider and quota project share the configured limits. Refusals and
/// announcements of a service apply to the unit of its quota: the bucket that the answers name, for
/// all APIs within the bucket, and otherwise the host.
///
/// Belongs to the loop thread; the caller passes the time.
class CallGate {
 public:
  struct Verdict {
    bool go = false;
    MonoTime ask_again;         ///< When it is worth asking again, if it may not go.
    bool host_is_away = false;  ///< That is why.
  };

  /// Limits by provider; a provider that is not named has none of ours.
  void SetLimits(std::map<std::string, CallLimits> limits);

  /// From now on every call may go, and its result says nothing: none is sent from here.
  void LetAllGo() { lets_all_go_ = true; }
  [[nodiscard]] bool lets_all_go() const { return lets_all_go_; }

  /// Takes one call from the budget. Every call that may go must be followed by Release. Calls that
  /// are put off get their turns in sequence, not all at the next token: they would be taken up for
  /// nothing every time. `urgent`: may try every second whether a host is back.
  [[nodiscard]] Verdict Acquire(const QuotaKey& lane, bool urgent, MonoTime now);

  /// Further calls that a write made besides the requested call: later calls wait longer.
  void AlsoWent(const QuotaKey& lane, int calls, MonoTime now);

  /// Forgets the outages of hosts that no target uses any more.
  void KeepHosts(const std::set<std::string>& hosts);

  /// Begins a new round of turns.
  void BeginRound();

  /// The result of a call. True when the host is away from now on, or is back.
  bool Release(const QuotaKey& lane, const std::string& target, const Error* error,
               const std::vector<cloud::RateLimitReading>& readings, MonoTime now);

  [[nodiscard]] const CircuitBreaker* FindBreaker(const std::string& host) const;

  /// How often in a row the lane's host was found away, or its quota refused.
  [[nodiscard]] int ConsecutiveFailures(const QuotaKey& lane) const;
  /// No lane has failures.
  [[nodiscard]] bool Healthy() const;
  /// Calls a second at most; 0: no limit is known.
  [[nodiscard]] double Rate(const QuotaKey& lane, MonoTime now);
  /// How long a write may wait for its turn before the underlying policy has to be read again.
  [[nodiscard]] MonoTime::duration WritePatience(const QuotaKey& lane, MonoTime now);

  // For metrics. Of several counters of a service, the most restrictive.
  struct BudgetView {
    std::string provider;
    std::string quota_project;
    double rate = 0;  ///< 0: no limit known.
    double headroom = 1;
    MonoTime::duration paused{0};
    std::uint64_t refusals = 0;  ///< Since the start.
  };
  [[nodiscard]] std::vector<BudgetView> Budgets(MonoTime now);
  struct HostView {
    std::string host;
    bool away = false;
    std::uint64_t openings = 0;  ///< Since the start.
  };
  [[nodiscard]] std::vector<HostView> Hosts() const;

 private:
  struct Budget {
    CallBudget budget;
    std::size_t put_off_now = 0;  ///< In this round.
    std::uint64_t refusals = 0;
  };
  struct Host {
    CircuitBreaker breaker;
    std::uint64_t openings = 0;
  };
  /// Provider, quota project, and the counted unit.
  using BudgetKey = std::tuple<std::string, std::string, std::string>;

  [[nodiscard]] std::vector<BudgetKey> ListKeys(const QuotaKey& lane) const;
  Budget& At(const BudgetKey& key);
  std::vector<Budget*> ListBudgets(const QuotaKey& lane);
  void Learn(const QuotaKey& lane, const cloud::RateLimitReading& reading, MonoTime now);
  void Refused(const QuotaKey& lane, const Error& error, MonoTime now);

  std::map<std::string, CallLimits> limits_;
  std::map<BudgetKey, Budget> budgets_;
  /// The buckets that a service named, by provider and API.
  std::map<std::pair<std::string, std::string>, std::set<std::string>> buckets_;
  std::map<std::string, Host> hosts_;
  bool lets_all_go_ = false;
};

}  // namespace bindery::controller
