#pragma once

#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <functional>

#include "controller/loop/check_runner.h"
#include "controller/loop/loop_observer.h"
#include "controller/loop/write_runner.h"
#include "store/ports/state_writer.h"

namespace bindery::controller {

/// Carries out the engine's actions on worker threads of the loop, and reports the results to the
/// engine.
///
/// Invariants: changes reach the store in the engine's order, and before the replies and calls of
/// the same actions. The engine is touched on the loop's thread only, and the loop takes its turn
/// after each result; results that end together take one turn. Belongs to the loop's thread.
class ActionRunner {
 public:
  /// Collaborators; must outlive the object.
  struct Parts {
    boost::asio::io_context& io;  ///< Of the loop's thread.
    Engine& engine;
    store::StateWriter& store;
    const Clock& clock;
    LoopObserver& observer;
    std::function<void()> turn;  ///< The engine has news. Called on the loop's thread.
    std::function<void(std::vector<LentCheck>)> lend = {};  ///< As Loop::Hooks::lend.
  };
  /// `policies` is called on further threads.
  ActionRunner(Parts parts, PolicyReader policies);

  /// Begins the actions; never blocks.
  void Run(Engine::Actions actions);

  /// Deletes old history, on a thread that may block. Parameters as StateWriter::Retain.
  void Retain(WallTime before, std::size_t revisions);

  /// Waits until all submitted to the store is durable.
  void Flush();

  /// Ends the threads once their work is done.
  void Join();

 private:
  void Submit(store::StoreChange change);
  void Ask(ProjectQuestion asked);
  void WakeForFinished();
  void TakeFinished();
  [[nodiscard]] Now Time() const { return {parts_.clock.Mono(), parts_.clock.Wall()}; }

  const Parts parts_;
  const CheckRunner::Results checked_;
  const WriteRunner::Results written_;
  const WorkThreads threads_;
  CheckRunner checks_;
  WriteRunner writes_;
};

}  // namespace bindery::controller
