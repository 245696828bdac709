#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "manifests/schema/problem.h"
#include "manifests/schema/schema.h"
#include "yaml/node.h"

namespace bindery::manifests {

/// Collects the errors of one document.
class Findings {
 public:
  Findings(std::string file, yaml::Position document)
      : file_(std::move(file)), document_(document) {}

  /// An unknown position is taken for that of the document.
  void Add(yaml::Position at, std::string path, CheckFailure failure);
  void Error(yaml::Position at, std::string path, std::string code, std::string message) {
    Add(at, std::move(path), CheckFailure{std::move(code), std::move(message)});
  }

  [[nodiscard]] std::size_t error_count() const { return errors_; }
  /// Something was said of the very place.
  [[nodiscard]] bool Concern(const std::string& path) const;

  /// The problems, all marked as concerning `resource`.
  [[nodiscard]] std::vector<Problem> Take(const std::string& resource);

 private:
  std::string file_;
  yaml::Position document_;
  std::vector<Problem> problems_;
  std::size_t errors_ = 0;
};

}  // namespace bindery::manifests
