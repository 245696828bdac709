#include "app/replicas/standby.h"

#include <chrono>
#include <utility>

#include "app/process/early_signals.h"
#include "app/process/process_end.h"
#include "app/process/version.h"
#include "app/reporting/report_writer.h"
#include "app/settings/api_options.h"
#include "store/open_store.h"
#include "telemetry/host_name.h"

namespace bindery::app {
namespace {

/// A lease whose holder is gone is free after LeaseTimes::steal.
constexpr std::chrono::seconds kPatienceOfOnce(30);

/// What serves and helps has seconds each to end.
constexpr std::chrono::seconds kLongestStandbyEnd(20);

}  // namespace

Standby::Standby(const Parts& parts, bool once)
    : parts_(parts),
      once_(once),
      began_(parts.clock.Mono()),
      relay_(store::OpenOutbox(parts.config.store), parts.clock),
      control_(parts.metrics, MakeDriftSettings(parts.config), relay_) {}

Standby::~Standby() {
  helper_.reset();
  relay_.Finish();
  if (server_ != nullptr) server_->Stop(std::chrono::seconds(2));
}

bool Standby::Wait(const store::LeaseHolder* holder, const std::string& why) {
  if (once_) return parts_.clock.Mono() - began_ < kPatienceOfOnce;
  HoldEnds();
  ended_ = TakeHeldEnd();
  if (ended_) {
    EndWithin(kLongestStandbyEnd);
    return false;
  }
  parts_.metrics.store.held.Set(0);
  parts_.metrics.store.usable.Set(holder == nullptr ? 0 : 1);
  TellOnce(holder, why);
  if (store_ == nullptr) Serve();
  if (!std::exchange(helps_, true)) {
    helper_ = StandbyHelper::Start({parts_.config, parts_.log, parts_.metrics, parts_.clock});
  }
  // The records of the replica at work are read on request; listeners look again.
  changes_.Raise();
  parts_.services.Alive();
  return true;
}

void Standby::TellOnce(const store::LeaseHolder* holder, const std::string& why) {
  control_.Tell(holder, why);
  if (std::exchange(told_, why) == why) return;
  parts_.services.Status("standing by: " + why);
  if (holder == nullptr) {
    parts_.log.Warn("the database of the store does not answer", {{"reason", why}});
  } else {
    parts_.log.Info("standing by", {{"holder", holder->host}, {"epoch", holder->epoch}});
  }
}

/// A replica that cannot serve still takes over: the error is reported at that time.
void Standby::Serve() {
  parts_.services.Ready();
  auto store =
      store::OpenStore(parts_.config.store, store::StoreAccess::kReadOnlyLater, parts_.clock);
  if (!store) return;
  store_ = std::move(*store);
  auto server = server::ApiServer::Start(
      MakeApiOptions(parts_.config.server),
      {*store_, control_, parts_.clock, parts_.log, changes_, parts_.config.manifests.directory,
       [&metrics = parts_.metrics](std::string_view reason) {
         metrics.server_refusals.Increment({reason});
       },
       nullptr, &store_->hours()});
  if (!server) {
    parts_.log.Error("cannot serve while standing by", {{"reason", ToString(server.error())}});
    return;
  }
  server_ = std::move(*server);
  parts_.log.Info("serving", {{"address", server_->Address()},
                              {"socket", parts_.config.server.socket.string()}});
}

Expected<std::unique_ptr<store::Store>> TakeStore(const Standby::Parts& parts, bool once) {
  const StoreLocation& location = parts.config.store;
  store::StoreSharing sharing;
  sharing.witness = parts.witness;
  if (!location.InDatabase()) {
    return store::OpenStore(location, store::StoreAccess::kReadWrite, parts.clock, sharing);
  }
  Standby standby(parts, once);
  sharing.identity = {telemetry::HostName(), kVersion};
  sharing.waiting = [&standby](const store::LeaseHolder* holder, const std::string& why) {
    return standby.Wait(holder, why);
  };
  auto store = store::OpenStore(location, store::StoreAccess::kReadWrite, parts.clock, sharing);
  if (standby.ended()) return nullptr;
  if (store) parts.log.Info("this replica has the lease of the store");
  return store;
}

}  // namespace bindery::app
