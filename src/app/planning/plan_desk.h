#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/plan/planner.h"
#include "app/planning/gathered_plan.h"
#include "core/base/mutex.h"
#include "server/control.h"

namespace bindery::app {

/// Makes plans for all requesters, in sequence. The reads respect the quotas, the pauses and the
/// unreachable hosts of the controller's own work, and take at most half of a quota, so that plans
/// never block the controller's work.
///
/// A requester of the same plan shares a waiting plan. A requester of a different plan is refused
/// with RESOURCE_EXHAUSTED when too many wait.
class PlanDesk {
 public:
  /// Runs a task on the loop's thread, which owns engine and catalog; drops it once the loop ended.
  using Post =
      std::function<void(std::function<void(controller::Engine&, const controller::Now&)>)>;
  /// Adds the store's knowledge to a plan.
  using Finish =
      std::function<Expected<void>(report::PassPlan& plan, const std::vector<std::string>& names)>;
  using Reply = std::function<void(const Expected<report::PassPlan>& plan)>;

  static constexpr std::size_t kMostWaiting = 8;  ///< Of each sort of asker.
  static constexpr std::size_t kMostUploads = 2;  ///< Of these.
  static constexpr std::size_t kMostReads = 8;    ///< At once.
  /// Targets that cannot be read within this time, or would have to wait so long, are left out of
  /// the plan, with a note.
  static constexpr std::chrono::minutes kLongest{10};
  static constexpr std::chrono::seconds kLongestWait{30};
  /// How often a wait for the loop's thread looks whether it is time to end.
  static constexpr std::chrono::milliseconds kLoopGlance{50};

  /// `load_error` says, on the loop's thread, why the directory could not be read. `policies`: as
  /// DryRun::Reads::stored. `targets_of_part`: of a plan of all targets, 1 or more.
  PlanDesk(Post post, std::function<std::string()> load_error, controller::PolicyReader policies,
           Finish finish, std::size_t targets_of_part = 1'000);
  /// Ends the work under way; who waits is told.
  ~PlanDesk();
  PlanDesk(const PlanDesk&) = delete;
  PlanDesk& operator=(const PlanDesk&) = delete;

  /// From any thread. Requesters at the machine's socket have separate places, and come first.
  /// Names nothing: all targets. `lines`: as of Control::Plan().
  void Ask(std::vector<std::string> names, server::PlanAsker asker,
           std::shared_ptr<server::PlanLines> lines, const Reply& reply);
  /// The same for an uploaded directory, as the next state of the directory in force. Never
  /// shared.
  void AskAboutUpload(server::PlanUpload upload, server::PlanAsker asker, const Reply& reply);

 private:
  struct Order {
    std::vector<std::string> names;
    server::PlanAsker asker = server::PlanAsker::kNetwork;
    std::vector<Reply> replies = {};
    std::vector<std::shared_ptr<server::PlanLines>> lines = {};  ///< Of each who asked, or of none.
    std::optional<server::PlanUpload> upload = {};               ///< Without names.
  };
  /// A twin of the engine at work.
  struct Asked {
    std::unique_ptr<controller::DryRun> run = {};
    std::string load_error = {};
    bool is_part = false;  ///< It knows only what the named resources depend on.
  };
  enum class Twin { kOfPart, kOfAll };
  struct Turn;

  void Work();
  [[nodiscard]] std::optional<Order> Next();
  /// Takes the order on unless too many wait.
  void Enter(Order order);
  /// Whether another order of the asker would wait too long.
  [[nodiscard]] bool IsFull(const Order& order) const REQUIRES(mutex_);
  [[nodiscard]] Expected<report::PassPlan> Make(const Order& order);
  /// A twin of a part where a part is enough.
  [[nodiscard]] Expected<Asked> Begin(const Order& order, Twin twin);
  // Each makes the plan, and gives why the directory could not be read.
  [[nodiscard]] Expected<std::string> MakeOfNames(const Order& order,
                                                  const controller::DryRun::Reads& reads,
                                                  GatheredPlan& gathered);
  /// In parts where the parts find the same as a run of all claims.
  [[nodiscard]] Expected<std::string> MakeOfAll(const Order& order,
                                                const controller::DryRun::Reads& reads,
                                                GatheredPlan& gathered);
  /// Anew, by a twin of all.
  [[nodiscard]] Expected<std::string> MakeAtOnce(const Order& order,
                                                 const controller::DryRun::Reads& reads,
                                                 GatheredPlan& gathered);
  /// What a plan of all targets in parts leaves for the end.
  struct Rest {
    void Add(const std::string& name, const TargetKey& target) {
      names.push_back(name);
      targets.insert(*target);
    }

    std::vector<std::string> names = {};
    std::set<Target> targets = {};  ///< Of the resources.
    Twin twin = Twin::kOfPart;      ///< By which it is planned.
    bool is_all = false;            ///< No part tells anything.
  };
  [[nodiscard]] Expected<void> AddPart(std::vector<TargetKey> targets,
                                       const controller::DryRun::Reads& reads,
                                       GatheredPlan& gathered, Rest& rest);
  [[nodiscard]] Expected<Asked> BeginRest(Rest& rest);
  /// Without the error of the directory. On the loop's thread.
  [[nodiscard]] static Asked MakeTwin(const controller::Engine& engine,
                                      const std::vector<std::string>& names, Twin twin,
                                      const controller::Now& now);
  [[nodiscard]] Expected<report::PassPlan> MakePassPlan(const server::PlanUpload& upload,
                                                        const Order& order, controller::DryRun& run,
                                                        const controller::DryRun::Reads& reads);
  [[nodiscard]] Expected<std::string> Read(const controller::CheckJob& job, MonoTime patience_ends);
  [[nodiscard]] static Turn AskForTurn(controller::Engine& engine, const controller::QuotaKey& lane,
                                       const controller::Now& now);
  [[nodiscard]] std::optional<Error> WaitForTurn(const controller::QuotaKey& lane,
                                                 MonoTime patience_ends);
  /// The answer of the loop's thread; nothing when the thread does not answer any more.
  template <typename Answer>
  [[nodiscard]] std::optional<Answer> OnLoop(
      std::function<Answer(controller::Engine&, const controller::Now&)> ask);
  [[nodiscard]] bool IsEnding();
  /// False at the end.
  bool Sleep(std::chrono::nanoseconds time);

  const Post post_;
  const std::function<std::string()> load_error_;
  const controller::PolicyReader policies_;
  const Finish finish_;
  const std::size_t targets_of_part_;

  Mutex turns_;  ///< Of the reads: held by the one whose turn comes next.
  Mutex mutex_;
  CondVar changed_;
  std::deque<Order> waiting_ GUARDED_BY(mutex_);
  bool ending_ GUARDED_BY(mutex_) = false;

  std::thread worker_;  ///< Last: it uses all of the above.
};

template <typename Answer>
std::optional<Answer> PlanDesk::OnLoop(
    std::function<Answer(controller::Engine&, const controller::Now&)> ask) {
  if (IsEnding()) return std::nullopt;
  const auto promise = std::make_shared<std::promise<Answer>>();
  std::future<Answer> answer = promise->get_future();
  post_([promise, ask = std::move(ask)](controller::Engine& engine, const controller::Now& now) {
    promise->set_value(ask(engine, now));
  });
  while (answer.wait_for(kLoopGlance) != std::future_status::ready) {
    if (IsEnding()) return std::nullopt;
  }
  try {
    return answer.get();
  } catch (const std::future_error&) {
    return std::nullopt;  // The loop dropped it.
  }
}

}  // namespace bindery::app
