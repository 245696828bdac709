#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/base/clock.h"
#include "core/base/mutex.h"
#include "httpd/message.h"
#include "server/api_server.h"
#include "store/ports/report_reader.h"

namespace bindery::server {

/// Answers to reading requests, kept while nothing is recorded, for a second at most: of many
/// readers who ask the same, or of one who asks again and again, one pays. Nothing is kept of a
/// store that others may write. Threads: any.
class KeptAnswers {
 public:
  /// Both must outlive the object.
  KeptAnswers(const store::ReportReader& store, const Clock& clock)
      : store_(store), clock_(clock) {}

  /// To be called after each record, before anybody is told of the record.
  void Outdate() { ++records_; }

  /// The kept answer, or else the answer of `make`; a short one of status 200 is kept. `question`:
  /// everything the answer depends on besides the store and the time.
  [[nodiscard]] httpd::Response Get(const std::string& question,
                                    const std::function<httpd::Response()>& make);

 private:
  /// The number of records, and ReportReader::ContentVersion().
  using Version = std::pair<std::uint64_t, std::uint64_t>;

  struct Kept {
    Version version;  ///< Before the answer was made.
    MonoTime made;
    httpd::Response answer;
  };

  [[nodiscard]] std::optional<Version> VersionNow() const;
  [[nodiscard]] std::optional<httpd::Response> Find(const std::string& question,
                                                    const Version& version, MonoTime now);
  void Keep(const std::string& question, Kept kept);

  const store::ReportReader& store_;
  const Clock& clock_;
  std::atomic<std::uint64_t> records_ = 0;
  Mutex mutex_;
  std::unordered_map<std::string, Kept> answers_ GUARDED_BY(mutex_);
  std::size_t bytes_ GUARDED_BY(mutex_) = 0;  ///< Of all bodies.
};

/// Of a request whose answer depends on the store, the time and the settings of reports alone.
[[nodiscard]] std::string MakeQuestion(const ApiParts& parts, const httpd::Request& request);

}  // namespace bindery::server
