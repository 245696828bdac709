#include "app/process/witness_file.h"

#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/text/digest.h"

namespace bindery::app {
namespace {

std::string_view Variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): before there are threads
  return value == nullptr ? std::string_view() : value;
}

/// Paths that are not absolute are to be ignored.
/// https://specifications.freedesktop.org/basedir-spec/latest/
std::filesystem::path Absolute(std::string_view path) {
  return path.starts_with('/') ? std::filesystem::path(path) : std::filesystem::path();
}

std::filesystem::path StateFolder() {
  // systemd gives several, separated by colons.
  const std::string_view unit = Variable("STATE_DIRECTORY");
  if (auto folder = Absolute(unit.substr(0, unit.find(':'))); !folder.empty()) return folder;
  if (auto folder = Absolute(Variable("XDG_STATE_HOME")); !folder.empty()) {
    return folder / "bindery";
  }
  const std::filesystem::path home = Absolute(Variable("HOME"));
  return home.empty() ? home : home / ".local/state/bindery";
}

std::string NameOfStore(const StoreLocation& store) {
  if (store.InDatabase()) return store.Shown();
  std::error_code failed;
  const auto real = std::filesystem::weakly_canonical(store.file, failed);
  return failed ? store.file.string() : real.string();
}

}  // namespace

std::filesystem::path WitnessFile(const config::Config& config) {
  if (!config.store_witness.empty()) return config.store_witness;
  std::filesystem::path folder = StateFolder();
  if (folder.empty()) return folder;
  constexpr std::size_t kEnough = 32;
  return folder / "witness" / Sha256Hex(NameOfStore(config.store)).substr(0, kEnough);
}

WitnessWatch::WitnessWatch(std::shared_ptr<const store::StoreWitness> witness,
                           telemetry::Logger& log)
    : witness_(std::move(witness)), log_(log) {}

void WitnessWatch::Look() {
  std::string why;
  if (witness_->file().empty()) {
    why = "there is no state folder";
  } else if (const auto failure = witness_->failure()) {
    why = failure->message;
  }
  {
    const MutexLock lock(mutex_);
    if (why == told_) return;
    told_ = why;
  }
  if (why.empty()) {
    log_.Info("the witness of the store is written again");
    return;
  }
  log_.Warn(
      "an older store that is put in place while bindery is stopped may not be noticed: set "
      "store.witness",
      {{"reason", why}});
}

}  // namespace bindery::app
