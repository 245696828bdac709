#pragma once

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>
#include <compare>
#include <string>
#include <utility>

namespace bindery::manifests {

/// The path of a manifest file, shared by all copies. A hundred thousand different paths are
/// possible, so paths are not looked up as a SharedText is. Eight bytes; immutable, so any thread
/// may have a copy.
class SourcePath {
 public:
  SourcePath() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): it is used like a text
  SourcePath(std::string path) : path_(path.empty() ? nullptr : new Path(std::move(path))) {}
  // NOLINTNEXTLINE(google-explicit-constructor): as above
  SourcePath(const char* path) : SourcePath(std::string(path)) {}

  [[nodiscard]] const std::string& str() const {
    static const std::string kNone;
    return path_ == nullptr ? kNone : path_->text;
  }
  // NOLINTNEXTLINE(google-explicit-constructor): as above
  operator const std::string&() const { return str(); }
  [[nodiscard]] bool empty() const { return path_ == nullptr; }

  friend bool operator==(const SourcePath& a, const SourcePath& b) {
    return a.path_ == b.path_ || a.str() == b.str();
  }
  friend std::strong_ordering operator<=>(const SourcePath& a, const SourcePath& b) {
    return a.path_ == b.path_ ? std::strong_ordering::equal : a.str() <=> b.str();
  }

 private:
  struct Path : boost::intrusive_ref_counter<Path, boost::thread_safe_counter> {
    explicit Path(std::string path) : text(std::move(path)) {}
    const std::string text;
  };

  boost::intrusive_ptr<const Path> path_;  // Shared by the manifests of one file.
};

}  // namespace bindery::manifests
