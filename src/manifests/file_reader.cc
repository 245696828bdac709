#include "manifests/file_reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>

#include "core/digest.h"
#include "manifests/file_names.h"

namespace bindery {
namespace {

/// Below this many, a second thread costs more than it saves.
constexpr std::size_t kManyFiles = 64;

/// No file system in use counts time more coarsely than FAT does, which does so in 2 s.
constexpr std::int64_t kCoarsestClockNs = 2'000'000'000;

std::int64_t NowNs() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

struct Job {
  std::string path;
  ListedFile* file = nullptr;
  // The result.
  bool changed = false;  ///< It is not what was listed any more.
  bool parsed = false;
  bool rewritten = false;
  std::string failure;  ///< Why it could not be read.
  const char* code = "UnreadableFile";
};

/// Reads exactly what was listed; false, with errno 0, when there is more or less.
bool ReadBytes(int fd, std::size_t size, std::string& bytes) {
  bytes.resize(size + 1);  // one more, to notice growth
  std::size_t done = 0;
  while (done < bytes.size()) {
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

void Decode(const std::string& bytes, const FileLoader& loader, Job& job) {
  ListedFile& file = *job.file;
  std::string digest = Sha256Hex(bytes);
  if (file.content != nullptr && file.content->digest == digest) return;
  // Adopted content that is to be read again has this file's stamp, or is of another one.
  job.rewritten = file.content != nullptr;
  file.content = nullptr;
  try {
    FileContent content = loader(bytes, job.path);
    content.path = job.path;
    content.digest = std::move(digest);
    file.content = std::make_shared<const FileContent>(std::move(content));
    job.parsed = true;
  } catch (const std::exception& error) {
    job.code = "UndecodableFile";
    job.failure = "cannot be decoded: " + std::string(error.what());
  }
}

void Read(int root, const FileLoader& loader, Job& job) {
  const int flags =
      O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (job.file->link ? 0 : O_NOFOLLOW);
  const Descriptor fd(::openat(root, job.path.c_str(), flags));
  if (!fd.valid()) {
    job.changed = errno == ENOENT || errno == ESTALE || errno == ENOTDIR || errno == ELOOP;
    if (!job.changed) job.failure = "cannot be read: " + SystemText(errno);
    return;
  }
  const std::int64_t started = NowNs();
  if (!IsAsListed(fd.get(), *job.file)) {
    job.changed = true;
    return;
  }
  std::string bytes;
  if (!ReadBytes(fd.get(), static_cast<std::size_t>(job.file->stamp.size), bytes)) {
    job.changed = errno == 0 || errno == ESTALE;
    if (!job.changed) job.failure = "cannot be read: " + SystemText(errno);
    return;
  }
  if (!IsAsListed(fd.get(), *job.file)) {
    job.changed = true;
    return;
  }
  job.file->proven = job.file->stamp.changed_ns + kCoarsestClockNs < started;
  Decode(bytes, loader, job);
}

/// A thread must not end by an exception, not even when memory is short.
void ReadOrSayWhyNot(int root, const FileLoader& loader, Job& job) {
  try {
    Read(root, loader, job);
  } catch (const std::exception& error) {
    job.failure = "cannot be read: " + std::string(error.what());
  }
}

std::vector<Job> JobsFor(Listing& listing) {
  std::vector<Job> jobs;
  for (ListedFolder& folder : listing.folders) {
    for (ListedFile& file : folder.files) {
      if (file.content != nullptr && file.proven) continue;
      Job job;
      job.path = JoinPath(folder.path, folder.NameOf(file));
      job.file = &file;
      jobs.push_back(std::move(job));
    }
  }
  return jobs;
}

void RunAll(std::vector<Job>& jobs, std::size_t threads, int root, const FileLoader& loader) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < jobs.size(); i = next++)
      ReadOrSayWhyNot(root, loader, jobs[i]);
  };
  std::vector<std::thread> others;
  try {
    for (std::size_t i = 1; i < threads && jobs.size() >= kManyFiles; ++i)
      others.emplace_back(work);
  } catch (const std::system_error&) {
    // Fewer threads than asked for: it takes longer, and that is all.
  }
  work();
  for (std::thread& other : others) other.join();
}

void AdoptFolder(const ListedFolder& known, ListedFolder& folder) {
  auto from = known.files.begin();
  for (ListedFile& file : folder.files) {
    const std::string_view name = folder.NameOf(file);
    while (from != known.files.end() && known.NameOf(*from) < name) ++from;
    if (from == known.files.end()) return;
    if (known.NameOf(*from) != name) continue;
    // With another stamp it is read; the old content saves decoding if the bytes are the same.
    file.content = from->content;
    file.proven = from->proven && from->stamp == file.stamp;
  }
}

}  // namespace

void AdoptContents(const Listing& known, Listing& listing) {
  auto from = known.folders.begin();
  for (ListedFolder& folder : listing.folders) {
    while (from != known.folders.end() && from->path < folder.path) ++from;
    if (from == known.folders.end()) return;
    if (from->path == folder.path) AdoptFolder(*from, folder);
  }
}

Expected<ReadOutcome> ReadFiles(const OpenRoot& root, const DirectorySettings& settings,
                                const FileLoader& loader, Listing& listing) {
  std::vector<Job> jobs = JobsFor(listing);
  RunAll(jobs, settings.threads, root.fd.get(), loader);
  ReadOutcome outcome;
  std::optional<Error> changed;
  for (Job& job : jobs) {
    if (job.changed && !changed) changed = ChangedWhileRead(settings, job.path);
    if (job.changed || !job.failure.empty()) job.file->proven = false;
    if (job.parsed) ++outcome.parsed;
    if (job.rewritten) outcome.rewritten = true;
    if (job.failure.empty()) continue;
    job.file->content = nullptr;
    Problem problem;
    problem.file = job.path;
    problem.code = job.code;
    problem.message = std::move(job.failure);
    outcome.problems.push_back(std::move(problem));
  }
  if (changed) return Fail(std::move(*changed));
  return outcome;
}

}  // namespace bindery
