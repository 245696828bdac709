#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "manifests/directory/directory.h"
#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery::testing {

/// A directory with a source over it. The loader stands in for the real one: it keeps the text as a
/// warning, calls "binary…" text undecodable and throws on "throw…".
class DirectoryTest : public ::testing::Test {
 protected:
  using Paths = std::vector<std::string>;
  using Texts = std::map<std::string, std::string>;

  manifests::DirectorySettings Settings(const std::string& directory) const {
    manifests::DirectorySettings settings;
    settings.directory = directory;
    return settings;
  }
  manifests::DirectorySource Source(manifests::DirectorySettings settings) {
    return manifests::DirectorySource(
        std::move(settings),
        [this](std::string_view text, const std::string& path) { return Load(text, path); });
  }
  manifests::DirectorySource Source() { return Source(Settings(root_)); }

  /// Of files that are on record as soon as they are read, whenever they changed.
  manifests::DirectorySource TrustingSource() {
    manifests::DirectorySettings settings = Settings(root_);
    settings.coarsest_clock = -std::chrono::hours(1);
    return Source(std::move(settings));
  }

  static Texts GetTexts(const manifests::DirectoryScan& scan) {
    Texts texts;
    for (const auto& file : scan.files) {
      texts[file->path] = file->problems.empty() ? "" : file->problems.front().message;
    }
    return texts;
  }
  static Paths PathsOf(const manifests::DirectoryScan& scan) {
    Paths paths;
    for (const auto& file : scan.files) paths.push_back(file->path);
    return paths;
  }
  static Paths ChangedIn(const manifests::DirectoryScan& scan) {
    Paths paths;
    for (const auto& file : scan.changed) paths.push_back(file->path);
    return paths;
  }
  static Paths RememberedIn(const manifests::DirectoryScan& scan) {
    Paths paths;
    for (const auto& file : scan.remember) paths.push_back(file.content->path);
    return paths;
  }
  static Paths ListProblems(const manifests::DirectoryScan& scan) {
    Paths texts;
    for (const manifests::Problem& problem : scan.problems)
      texts.push_back(problem.code + " " + problem.Text());
    return texts;
  }
  static void Link(const std::string& target, const std::string& link) {
    std::filesystem::create_symlink(target, link);
  }
  /// As git-sync and the kubelet do it: a new link is moved over the old one.
  static void Swap(const std::string& target, const std::string& link) {
    Link(target, link + "_new");
    std::filesystem::rename(link + "_new", link);
  }

  TempDir temp_;
  std::string root_ = temp_ / "m";
  std::atomic<int> loads_ = 0;

 private:
  manifests::FileContent Load(std::string_view text, const std::string& path) {
    ++loads_;
    if (text.starts_with("throw")) throw std::runtime_error("too odd");
    manifests::FileContent content;
    content.path = path;
    manifests::Problem problem;
    problem.file = path;
    const bool binary = text.starts_with("binary");
    problem.severity =
        binary ? manifests::ProblemSeverity::kError : manifests::ProblemSeverity::kWarning;
    problem.code = binary ? "InvalidText" : "Text";
    problem.message = text;
    content.problems.push_back(problem);
    return content;
  }
};

}  // namespace bindery::testing
