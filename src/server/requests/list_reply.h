#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/expected.h"
#include "core/base/json.h"
#include "httpd/coding/packed_body.h"
#include "httpd/message.h"

namespace bindery::server {

/// The memory of all long answers together, until the readers have taken the bytes. Threads: any.
class ListBudget {
 public:
  explicit ListBudget(std::size_t most = std::size_t{20} << 20U) : most_(most) {}

  [[nodiscard]] bool Fits(std::size_t more) const { return *held_ + more <= most_; }
  /// The same of a small part: while so little is held, nothing has to be small.
  [[nodiscard]] bool IsFree(std::size_t more) const { return *held_ + more <= most_ / 8; }
  /// Counts the body until the last copy of the pointer is gone.
  [[nodiscard]] std::shared_ptr<const httpd::PackedBody> Hold(httpd::PackedBody body) const;

 private:
  const std::size_t most_;
  const std::shared_ptr<std::atomic<std::size_t>> held_ =
      std::make_shared<std::atomic<std::size_t>>(0);
};

/// The elements of a long list, in order. For one thread.
class ListWriter {
 public:
  explicit ListWriter(const ListBudget& budget) : budget_(budget) {}

  /// The compact JSON of an element. An element beyond the limit is left out.
  void Add(const std::string& element) { Write(element, elements_); }
  /// The same of an element for the end of the list.
  void AddLast(const std::string& element) { Write(element, last_); }

  /// A report with the elements in the place of its empty list of the name. kUnavailable if the
  /// elements are too many at present.
  [[nodiscard]] Expected<httpd::Response> Reply(const Json& report, std::string_view member);

 private:
  void Write(const std::string& element, httpd::PackedBody& body);

  const ListBudget& budget_;
  bool fits_ = true;
  httpd::PackedBody elements_;
  httpd::PackedBody last_;
};

/// A table of comma-separated values, in parts. For one thread.
class TableWriter {
 public:
  explicit TableWriter(const ListBudget& budget) : budget_(budget) {}

  /// A table with the same line of titles as those before.
  void Add(std::string table);

  /// All the rows below one line of titles. kUnavailable as of ListWriter.
  [[nodiscard]] Expected<httpd::Response> Reply();

 private:
  const ListBudget& budget_;
  bool fits_ = true;
  httpd::PackedBody body_;
};

}  // namespace bindery::server
