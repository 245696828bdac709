#include "manifests/schema/manifest.h"

#include <tuple>

namespace bindery::manifests {
namespace {

auto Compared(const ExtraOptions& options) {
  return std::tie(options.depends_on, options.ignore_changes, options.aliases, options.import_id,
                  options.create_timeout, options.update_timeout, options.delete_timeout);
}

auto CommonContents(const Options& options) {
  return std::tie(options.mode, options.interval, options.provider, options.suspend,
                  options.protect, options.retain_on_delete, options.remove_expired);
}

}  // namespace

bool ExtraOptions::operator==(const ExtraOptions& other) const {
  return Compared(*this) == Compared(other);
}

const ExtraOptions& Options::extra_options() const {
  static const ExtraOptions kNone;
  return rare == nullptr ? kNone : *rare;
}

bool Options::operator==(const Options& other) const {
  return CommonContents(*this) == CommonContents(other) &&
         (rare == other.rare || extra_options() == other.extra_options());
}

bool Manifest::linked() const {
  if (references != nullptr) return true;
  return options.rare != nullptr &&
         !(options.rare->depends_on.empty() && options.rare->aliases.empty());
}

}  // namespace bindery::manifests
