#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "report/codec/list_slice.h"
#include "report/codec/source_line.h"
#include "report/values/attributions.h"
#include "web/html.h"
#include "web/page.h"

namespace bindery::web {

// Building blocks of several pages.

/// "5,000"
[[nodiscard]] std::string Figure(std::int64_t number);
/// The text with a capital at its beginning.
[[nodiscard]] std::string Capital(std::string text);
/// "1 target", "5,000 targets"
[[nodiscard]] std::string Counted(std::int64_t number, std::string_view one, std::string_view many);

/// The age of the moment, with the moment as title; "–" if never set.
[[nodiscard]] Html Ago(const PageContext& context, WallTime time);
/// The moment itself.
[[nodiscard]] Html Moment(WallTime time);

/// A word with a sign and a colour: a state, a severity or a verdict.
[[nodiscard]] Html Badge(std::string_view word);
/// The same as a link or a text with different words than the class.
[[nodiscard]] Html Badge(std::string_view of, std::string_view words);

[[nodiscard]] Html ResourceLink(const std::string& name);
/// Also for a target known by its name and kind only.
[[nodiscard]] Html TargetLink(const std::string& kind, const std::string& name,
                              const std::string& scope = "");
/// The same in a row of a list: of a name of collections and their members
/// ("projects/acme/topics/orders") the members alone, with the whole name as the title.
[[nodiscard]] Html ShortTargetLink(const std::string& kind, const std::string& name,
                                   const std::string& scope = "");
/// "acme/orders" of "projects/acme/topics/orders"; every other name stays whole.
[[nodiscard]] std::string ShortName(const std::string& name);
/// The author of a difference, with time and call; empty if unknown.
[[nodiscard]] std::string DescribeMaker(const std::optional<report::Attribution>& made);
/// The same beside what else a cell says, with the call as the title.
[[nodiscard]] Html MakerLine(const std::optional<report::Attribution>& made);
/// A long name that may be broken between its words: after slashes, dots and
/// colons, before an @ and the parts of CamelCase.
[[nodiscard]] Html Breakable(std::string_view name);
/// A sentence whose long words may be broken like that.
[[nodiscard]] Html Prose(std::string_view text);
/// The same for an element of NameClass(): where the window has the room for a table, the name
/// takes one line, and of a long name the middle gives way to "…". The whole name stays in the
/// text.
[[nodiscard]] Html InOneLine(std::string_view name);
/// What was granted, in a list: never cut. A long text is in small print, and may take two lines of
/// it in the height of a row.
[[nodiscard]] Html WholeName(Literal tag, std::string_view look, std::string_view text);
/// The same as Breakable() where a column may be narrow: it breaks nowhere else.
[[nodiscard]] Html Name(std::string_view name);
/// A short word without a line break if the room allows.
[[nodiscard]] Html Word(const std::string& text);
/// "payments.yaml:12"; empty for what is in no file.
[[nodiscard]] std::string FindPlace(const std::string& file, int line);
[[nodiscard]] std::string FindPlace(const std::optional<report::SourceLine>& source);

/// "name", or "name long" for a text whose middle may be left out in a list.
[[nodiscard]] std::string NameClass(std::string_view text);
[[nodiscard]] Html Paragraph(std::string_view text);
/// How the first manifests come, for pages without a resource.
[[nodiscard]] Html FirstManifests(std::string_view what);
/// Says why a list is empty.
[[nodiscard]] Html Nothing(std::string_view text);
/// What a row tells besides its columns, below it; closed at first unless `open`.
[[nodiscard]] Html Disclosure(const std::string& id, const Html& content, bool open);
/// A text of a row. In a wide window a long one takes a line and ends in "…" until it is opened, by
/// mouse, finger or keyboard; in a narrow one it takes some lines.
[[nodiscard]] Html Sentence(const std::string& id, std::string_view text, bool open = false);
/// The same of content, of which `length` characters are seen.
[[nodiscard]] Html Sentence(const std::string& id, const Html& content, std::size_t length,
                            bool open = false);
/// A heading of the second level with its content, as a region of the name.
[[nodiscard]] Html MakeSection(std::string_view title, const Html& content);

/// The links to the pages before and after, and which part of how many is shown.
[[nodiscard]] Html Pager(const PageContext& context, const report::ListSlice& slice,
                         std::size_t shown);

/// A button for a change: a separate form with hidden fields.
[[nodiscard]] Html ActionForm(const std::string& action, std::string_view label,
                              const Query& fields);
/// The command in place of a button, for users without the right to change.
[[nodiscard]] Html CommandHint(std::string_view what, const std::string& command);

}  // namespace bindery::web
