#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/clock.h"
#include "report/attributions.h"
#include "report/list_slice.h"
#include "report/source_line.h"
#include "web/html.h"
#include "web/page.h"

namespace bindery::web {

// Pieces that several pages are made of.

/// "5,000"
[[nodiscard]] std::string Figure(std::int64_t number);
/// "1 target", "5,000 targets"
[[nodiscard]] std::string Counted(std::int64_t number, std::string_view one, std::string_view many);

/// How long ago that was, with the moment as its title; "–" for a time that was never set.
[[nodiscard]] Html Ago(const PageContext& context, WallTime time);
/// The moment itself.
[[nodiscard]] Html Moment(WallTime time);

/// A word with a sign and a colour: a state, a severity or a verdict.
[[nodiscard]] Html Badge(std::string_view word);
/// The same as a link or a text with other words than its class.
[[nodiscard]] Html Badge(std::string_view of, std::string_view words);

[[nodiscard]] Html ResourceLink(const std::string& name);
/// Also for a target known by its name and kind only.
[[nodiscard]] Html TargetLink(const std::string& kind, const std::string& name,
                              const std::string& scope = "");
/// Who made a difference, when and by which call; empty where nothing is said of it.
[[nodiscard]] std::string MadeBy(const std::optional<report::Attribution>& made);
/// A long name that may be broken between its words: after slashes, dots and
/// colons, before an @ and the parts of CamelCase.
[[nodiscard]] Html Breakable(std::string_view name);
/// The same where a column may be narrow: it breaks nowhere else.
[[nodiscard]] Html Name(std::string_view name);
/// A short word that stays in one piece as long as there is room.
[[nodiscard]] Html Word(const std::string& text);
/// "payments.yaml:12"; empty for what is in no file.
[[nodiscard]] std::string PlaceOf(const std::string& file, int line);
[[nodiscard]] std::string PlaceOf(const std::optional<SourceLine>& source);

[[nodiscard]] Html Paragraph(std::string_view text);
/// Says why a list is empty.
[[nodiscard]] Html Nothing(std::string_view text);
/// A heading of the second level with the following part, as a region of the name.
[[nodiscard]] Html SectionOf(std::string_view title, const Html& content);

/// The links to the pages before and after, and which part of how many is shown.
[[nodiscard]] Html Pager(const PageContext& context, const ListSlice& slice, std::size_t shown);

/// A button that changes something: a separate form with those hidden fields.
[[nodiscard]] Html ActionForm(const std::string& action, std::string_view label,
                              const Query& fields);
/// What to do instead of a button for those who may not change anything.
[[nodiscard]] Html CommandHint(std::string_view what, const std::string& command);

}  // namespace bindery::web
