#pragma once

#include <string>
#include <vector>

#include "core/base/expected.h"

namespace bindery::app {

/// A target under the words that files and names are made of.
struct TargetWords {
  std::string project;        ///< "acme", "folder-20"; "other": the container is unknown.
  std::string kind;           ///< "pubsub-topic"
  std::string type;           ///< "topic"
  std::string resource;       ///< "orders", "europe-west1-ring-key": without words for collections.
  bool is_container = false;  ///< The target is the project itself, and the like.
};

/// The words of a target. `place`: the container, as Places::GetName. Pure.
[[nodiscard]] TargetWords MakeWords(const std::string& target_kind, const std::string& target,
                                    const std::string& place);

/// What the names of manifests on the target begin with: "acme-topic-orders", "acme-project".
[[nodiscard]] std::string NamePrefix(const TargetWords& words);

/// The files that the manifests of an import go to.
class ImportLayout {
 public:
  static constexpr const char* kDefault = "project/kind/resource";

  /// Of "project/kind/resource": one or several of these words, each once, separated by slashes.
  /// Targets with the same path share a file. kInvalidArgument: something else.
  [[nodiscard]] static Expected<ImportLayout> Parse(const std::string& text);

  /// Files go into folders below the manifests directory.
  [[nodiscard]] bool HasFolders() const { return words_.size() > 1; }

  /// "acme/pubsub-topic/orders.yaml", without a number that another file makes necessary.
  [[nodiscard]] std::string GetFile(const TargetWords& words) const;

 private:
  std::vector<std::string TargetWords::*> words_;
};

}  // namespace bindery::app
