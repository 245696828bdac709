#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/clock.h"
#include "web/html.h"

namespace bindery::web {

using Query = std::vector<std::pair<std::string, std::string>>;

/// The context of a page, besides the JSON.
struct PageContext {
  std::string path;  ///< As it was asked for: "/resources".
  Query query;
  WallTime now;
  bool may_operate = false;   ///< The requester may check, suspend and resume.
  bool may_approve = false;   ///< The requester may decide about removals and roll back.
  std::string socket = {};    ///< Where changes are accepted; empty: nowhere.
  std::string user = {};      ///< Who has signed in; empty: nobody.
  std::string role = {};      ///< Of the user: "viewer".
  bool may_sign_out = false;  ///< The user has a session here.
  /// Of manifests in their repository, with {path} and {line}: see RepositoryAddress(). Empty:
  /// not known.
  std::string repository_url = {};

  /// The first parameter of the name; empty if none exists.
  [[nodiscard]] std::string Asked(std::string_view name) const;
};

/// On one page of a list, unless more or less is asked for.
inline constexpr const char* kPageLength = "100";

/// The frame around the content of a page.
struct Frame {
  std::string title;
  std::string section;  ///< The path of its entry among the pages: "/resources".
  std::string summary;  ///< One sentence; told to screen readers when it changes.
  Html before;          ///< Between the title and the content: stays when the content is renewed.
  std::optional<WallTime> as_of;  ///< Of the content; nothing: of now.
  bool live = true;               ///< The content is renewed when something changes.
  bool has_json = true;           ///< The same is there as JSON.
  bool list = false;              ///< Narrow rows over the whole window, a part of a list.
  bool has_csv = false;           ///< The same is there as CSV.
  bool dense = false;             ///< Narrow rows over the whole window, as in a list.
  bool rows = false;      ///< Narrow rows, with the title and the sentence above as on a page.
  bool searches = false;  ///< `before` has a field for a text: the header needs none.
};

/// The whole document, with the content renewed by the script.
[[nodiscard]] std::string Document(const PageContext& context, const Frame& frame,
                                   const Html& content);

/// "/resources/a%2Fb": each segment encoded.
[[nodiscard]] std::string PathTo(std::initializer_list<std::string_view> segments);

/// The path with a query; parameters with an empty value are left out.
[[nodiscard]] std::string WithQuery(const std::string& path, const Query& query);

/// The query with the parameters in the place of those of the same names.
[[nodiscard]] Query Replaced(const Query& query, const Query& parameters);

}  // namespace bindery::web
