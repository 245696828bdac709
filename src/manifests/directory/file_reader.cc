#include "manifests/directory/file_reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "core/text/digest.h"
#include "manifests/files/file_names.h"
#include "manifests/files/open_for_writing.h"

namespace bindery::manifests {
namespace {

/// Below both, a second thread costs more than it saves.
constexpr std::size_t kManyFiles = 64;
constexpr std::int64_t kMuchToRead = 64L * 1024;
/// A file that is open for writing is not believed until this time after its last change.
constexpr std::int64_t kWriterPatienceNs = 60'000'000'000;

std::int64_t StatusNanoseconds(std::chrono::nanoseconds time) { return time.count(); }

std::int64_t NowNs() {
  return StatusNanoseconds(std::chrono::system_clock::now().time_since_epoch());
}

/// What reading needs to know, and may be shared by threads.
struct Reading {
  int root = -1;
  const FileLoader& loader;
  std::int64_t coarsest_clock_ns = 0;
};

struct Failure {
  std::string message;
  const char* code = "UnreadableFile";
};

struct Job {
  const ListedFolder* folder = nullptr;
  ListedFile* file = nullptr;
  // The result.
  bool changed = false;  ///< It is not what was listed any more.
  bool parsed = false;
  bool rewritten = false;
  bool writers_unknown = false;                ///< Whether it is open for writing is unknown.
  std::unique_ptr<Failure> failure = nullptr;  ///< Why it could not be read.

  [[nodiscard]] std::string Path() const { return PathIn(folder->path, folder->GetName(*file)); }
  void CannotBeRead(const std::string& why) {
    failure = std::make_unique<Failure>(Failure{"cannot be read: " + why});
  }
};

/// Reads exactly the listed size; false, with errno 0, when the size differs.
bool ReadBytes(int fd, std::size_t size, std::string& bytes) {
  bytes.resize(size + 1);  // One more, to notice growth where the stamp does not tell of it yet.
  std::size_t done = 0;
  while (done < size) {
    const ssize_t count = ::read(fd, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  bytes.resize(done);
  errno = 0;
  return done == size;
}

bool IsAsListed(int fd, const ListedFile& file) {
  struct stat status = {};
  return ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
         FileStamp::Of(status) == file.stamp;
}

void Decode(const std::string& bytes, const std::string& path, const FileLoader& loader, Job& job) {
  ListedFile& file = *job.file;
  std::string digest;
  if (file.content != nullptr) {
    digest = Sha256Hex(bytes);
    if (file.content->digest == digest) return;
    // Adopted content to read again has this file's stamp, or the stamp of a different file.
    job.rewritten = true;
  }
  file.content = nullptr;
  try {
    FileContent content = loader(bytes, path);
    content.path = path;
    if (content.digest.empty()) content.digest = digest.empty() ? Sha256Hex(bytes) : digest;
    file.content = std::make_shared<const FileContent>(std::move(content));
    job.parsed = true;
  } catch (const std::exception& error) {
    job.failure = std::make_unique<Failure>(
        Failure{"cannot be decoded: " + std::string(error.what()), "UndecodableFile"});
  }
}

void Read(const Reading& reading, Job& job) {
  const int flags =
      O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (job.file->link ? 0 : O_NOFOLLOW);
  const std::string path = job.Path();
  const Descriptor fd(::openat(reading.root, path.c_str(), flags));
  if (!fd.valid()) {
    job.changed = IsGone(errno);
    if (!job.changed) job.CannotBeRead(SystemText(errno));
    return;
  }
  const std::int64_t started = NowNs();
  std::string bytes;
  const bool complete = ReadBytes(fd.get(), static_cast<std::size_t>(job.file->stamp.size), bytes);
  const int error = errno;
  // One look after the reading: the file is the listed file, and was so all the time, because
  // nothing sets the time of the last change back.
  if (!IsAsListed(fd.get(), *job.file) || (!complete && (error == 0 || error == ESTALE))) {
    job.changed = true;
    return;
  }
  if (!complete) {
    job.CannotBeRead(SystemText(error));
    return;
  }
  // A file open for writing may have any end: it is read again until nobody has it open.
  const std::optional<bool> open_for_writing = IsOpenForWriting(fd.get());
  job.writers_unknown = !open_for_writing;
  job.file->open_for_writing = open_for_writing.value_or(false);
  if (job.file->open_for_writing && started - job.file->stamp.changed_ns < kWriterPatienceNs) {
    // The file may be half written, and half of a manifest may declare more than the whole. The
    // former content counts.
    job.file->proven = false;
    if (job.file->content == nullptr) {
      job.CannotBeRead("it is being written; it is read once it is closed");
    }
    return;
  }
  job.file->proven = !job.file->open_for_writing &&
                     job.file->stamp.changed_ns + reading.coarsest_clock_ns < started;
  Decode(bytes, path, reading.loader, job);
}

/// A thread must not end by an exception, not even when memory is short.
void ReadOrSayWhyNot(const Reading& reading, Job& job) {
  try {
    Read(reading, job);
  } catch (const std::exception& error) {
    job.CannotBeRead(error.what());
  }
}

std::vector<Job> JobsFor(Listing& listing) {
  std::vector<Job> jobs;
  for (ListedFolder& folder : listing.folders) {
    for (ListedFile& file : folder.files) {
      if (!folder.VouchesFor(file)) jobs.push_back({&folder, &file});
    }
  }
  return jobs;
}

std::size_t ThreadsFor(const std::vector<Job>& jobs, std::size_t wanted) {
  std::int64_t bytes = 0;
  for (const Job& job : jobs) bytes += job.file->stamp.size;
  if (bytes < kMuchToRead && jobs.size() < kManyFiles) return 1;
  const std::size_t all = wanted > 0 ? wanted : std::thread::hardware_concurrency();
  return std::min(std::max<std::size_t>(all, 1), jobs.size());
}

void RunAll(std::vector<Job>& jobs, std::size_t threads, const Reading& reading) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < jobs.size(); i = next++) ReadOrSayWhyNot(reading, jobs[i]);
  };
  std::vector<std::thread> others;
  try {
    for (std::size_t i = 1; i < threads; ++i) others.emplace_back(work);
  } catch (const std::system_error&) {
    // Fewer threads than requested: only slower.
  }
  work();
  for (std::thread& other : others) other.join();
}

void AdoptFolder(const ListedFolder& known, ListedFolder& folder, std::set<std::string>& orphans) {
  auto from = known.files.begin();
  const auto pass_over = [&] {
    if (from->record != WhatIsKept::kNone) {
      orphans.insert(PathIn(known.path, known.GetName(*from)));
    }
    ++from;
  };
  for (ListedFile& file : folder.files) {
    const std::string_view name = folder.GetName(file);
    while (from != known.files.end() && known.GetName(*from) < name) pass_over();
    if (from != known.files.end() && known.GetName(*from) == name) AdoptContent(*from++, file);
  }
  while (from != known.files.end()) pass_over();
}

}  // namespace

void AdoptContent(const ListedFile& known, ListedFile& file) {
  // With another stamp it is read; the old content saves decoding if the bytes are the same.
  const bool same = known.stamp == file.stamp;
  file.content = known.content;
  file.proven = known.proven && same;
  file.record = known.record;
  if (file.record == WhatIsKept::kCurrent && !same) file.record = WhatIsKept::kStale;
}

void AdoptContents(const Listing& known, Listing& listing, std::set<std::string>& orphans) {
  ListedFolder none;
  auto from = known.folders.begin();
  for (ListedFolder& folder : listing.folders) {
    while (from != known.folders.end() && from->path < folder.path) {
      AdoptFolder(*from++, none, orphans);
    }
    if (from != known.folders.end() && from->path == folder.path) {
      AdoptFolder(*from++, folder, orphans);
    }
  }
  while (from != known.folders.end()) AdoptFolder(*from++, none, orphans);
}

void KeepFiles(Listing&& known, Listing& listing) {
  for (std::size_t i = 0; i < listing.folders.size(); ++i) {
    ListedFolder& folder = known.folders[i];
    folder.stamp = listing.folders[i].stamp;
    folder.stamps_prove = listing.folders[i].stamps_prove;
    for (std::size_t file = 0; file < folder.files.size(); ++file) {
      folder.files[file].read_anyway = listing.folders[i].files[file].read_anyway;
    }
  }
  listing.folders = std::move(known.folders);
}

Expected<ReadOutcome> ReadFiles(const OpenRoot& root, const DirectorySettings& settings,
                                const FileLoader& loader, Listing& listing) {
  std::vector<Job> jobs = JobsFor(listing);
  const Reading reading{root.fd.get(), loader, StatusNanoseconds(settings.coarsest_clock)};
  RunAll(jobs, ThreadsFor(jobs, settings.threads), reading);
  ReadOutcome outcome;
  std::optional<Error> changed;
  for (Job& job : jobs) {
    if (job.changed && !changed) changed = ChangedWhileRead(settings, job.Path());
    if (job.changed || job.failure != nullptr) job.file->proven = false;
    if (job.parsed) ++outcome.parsed;
    if (job.rewritten) outcome.rewritten = true;
    if (job.writers_unknown && outcome.writers_unknown.empty()) {
      outcome.writers_unknown = job.Path();
    }
    if (job.failure == nullptr) continue;
    job.file->content = nullptr;
    Problem problem;
    problem.file = job.Path();
    problem.code = job.failure->code;
    problem.message = std::move(job.failure->message);
    outcome.problems.push_back(std::move(problem));
  }
  if (changed) return Fail(std::move(*changed));
  return outcome;
}

}  // namespace bindery::manifests
