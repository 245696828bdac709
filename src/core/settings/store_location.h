#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/expected.h"

namespace bindery {

/// `url` of a database for people: without a password.
[[nodiscard]] std::string RedactedUrl(std::string_view url);

/// Where the state is kept: in an SQLite file, or in a PostgreSQL database that replicas share.
struct StoreLocation {
  StoreLocation() = default;
  StoreLocation(std::filesystem::path path)  // NOLINT(google-explicit-constructor): it is one
      : file(std::move(path)) {}
  StoreLocation(const std::string& path)  // NOLINT(google-explicit-constructor): likewise
      : file(path) {}
  StoreLocation(const char* path) : file(path) {}  // NOLINT(google-explicit-constructor): likewise

  /// From "sqlite:PATH", "postgresql://…" or "postgres://…"; kInvalidArgument for any other text,
  /// which the message does not repeat, because the text may hold a password.
  [[nodiscard]] static Expected<StoreLocation> Parse(std::string_view url);

  [[nodiscard]] bool InDatabase() const { return !database.empty(); }
  /// The path or the redacted URL, for people.
  [[nodiscard]] std::string Shown() const;
  /// The input of Parse(), with a redacted password.
  [[nodiscard]] std::string Url() const;

  bool operator==(const StoreLocation&) const = default;

  std::filesystem::path file;  ///< Empty: in the database.
  std::string database;        ///< Its URL; empty: in the file.
};

}  // namespace bindery
