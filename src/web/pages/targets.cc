#include "web/grants.h"
#include "web/pages/pages.h"
#include "web/parts.h"
#include "web/table.h"

namespace bindery::web {
namespace {

Html OpenDriftCell(const Json& target) {
  const std::int64_t open = CountOf(target, "open");
  const std::int64_t held = CountOf(target, "held");
  if (open + held == 0) return IsTrue(target, "observed") ? "none" : "not read yet";
  Html cell = Badge(TextOf(target, "severity"));
  std::string words = open > 0 ? Figure(open) + " open" : "";
  if (held > 0) words += (words.empty() ? "" : ", ") + Figure(held) + " held";
  cell.Add(El("span", {{"class", "below"}}, words));
  return cell;
}

Html SourceCell(const Json& line) {
  const Json& source = ObjectOf(line, "source");
  if (source.empty()) return "nobody";
  Html cell = ResourceLink(TextOf(source, "resource"));
  cell.Add(El("span", {{"class", "below"}}, PlaceOf(source)));
  return cell;
}

Html GrantStateCell(const Json& line) {
  Html cell = Badge(TextOf(line, "state"));
  const std::string made_by = MadeBy(line);
  if (!made_by.empty()) cell.Add(El("span", {{"class", "below"}}, "changed by: ", made_by));
  return cell;
}

Html PolicyTable(const Json& report) {
  const Json& lines = ListOf(report, "lines");
  if (lines.empty()) {
    return Nothing(IsTrue(report, "observed") ? "Nobody holds anything." : "It was not read yet.");
  }
  Table table("The whole policy, line by line, and what is declared and not there",
              {{"Principal"}, {"Role"}, {"State"}, {"Declared by"}, {"Time"}});
  for (const Json& line : lines) {
    const Json& grant = ObjectOf(line, "grant");
    table.AddRow({El("code", {}, Breakable(PrincipalOf(grant))), RoleCell(grant),
                  GrantStateCell(line), SourceCell(line), BoundsText(line)});
  }
  return table.Finished();
}

Html DeclaringTable(const Json& report) {
  const Json& declares = ListOf(report, "declares");
  if (declares.empty()) return Nothing("No manifest speaks of this target.");
  Table table("The resources on this target", {{"Resource"}, {"State"}, {"Manifest"}});
  for (const Json& resource : declares) {
    table.AddRow({ResourceLink(TextOf(resource, "name")),
                  Html(Badge(TextOf(resource, "state")))
                      .Add(El("span", {{"class", "below"}}, TextOf(resource, "reason"))),
                  PlaceOf(ObjectOf(resource, "source"))});
  }
  return table.Finished();
}

std::string LinesSummary(const Json& report) {
  std::int64_t undeclared = 0;
  std::int64_t missing = 0;
  std::int64_t declared = 0;
  for (const Json& line : ListOf(report, "lines")) {
    const std::string state = TextOf(line, "state");
    ++(state == "declared" ? declared : state == "missing" ? missing : undeclared);
  }
  return Counted(declared, "grant is", "grants are") + " as declared, " + Figure(undeclared) +
         " undeclared, " + Figure(missing) + " missing.";
}

}  // namespace

std::string TargetsPage(const PageContext& context, const Json& report) {
  const Json& targets = ListOf(report, "targets");
  Frame frame;
  frame.title = "Targets";
  frame.section = "/targets";
  frame.summary = Counted(CountOf(report, "total"), "target", "targets") + ".";
  frame.before = El("form", {{"class", "filter"}, {"role", "search"}, {"data-filter", ""}},
                    El("label", {}, "Text",
                       Void("input", {{"type", "search"},
                                      {"name", "q"},
                                      {"value", context.Asked("q")},
                                      {"placeholder", "name, kind, provider"},
                                      {"autocomplete", "off"}})),
                    El("button", {{"type", "submit"}}, "Filter"),
                    El("a", {{"href", context.path}, {"class", "reset"}}, "Clear"));
  if (targets.empty()) {
    return Document(context, frame,
                    Nothing(context.Asked("q").empty() ? "No target is known yet."
                                                       : "No target fits the filter."));
  }
  Table table("Policies in the clouds", {{"Target"},
                                         {"Kind"},
                                         {"Provider"},
                                         {"Differences"},
                                         {"Resources", {}, "", true},
                                         {"Grants", {}, "", true},
                                         {"Read"}});
  for (const Json& target : targets) {
    table.AddRow(
        {TargetLink(TextOf(target, "kind"), TextOf(target, "target"), TextOf(target, "scope")),
         Breakable(TextOf(target, "kind")), TextOf(target, "provider"), OpenDriftCell(target),
         Figure(CountOf(target, "resources")), Figure(CountOf(target, "grants")),
         Ago(context, target, "observedAt")});
  }
  Html content = table.Finished();
  content.Add(Pager(context, report, targets.size()));
  return Document(context, frame, content);
}

std::string TargetPage(const PageContext& context, const Json& report) {
  Frame frame;
  frame.title = TextOf(report, "target");
  frame.section = "/targets";
  frame.summary = LinesSummary(report);
  Html content =
      El("p", {}, TextOf(report, "kind"), " of the provider ", TextOf(report, "provider"),
         ", last read ", Ago(context, report, "observedAt"),
         IsTrue(report, "observed") && !IsTrue(report, "exists") ? "; it was not there" : "",
         IsTrue(report, "everWritten") ? "; bindery has written it" : "; never written by bindery",
         ".");
  content.Add(SectionOf("Policy", PolicyTable(report)));
  content.Add(SectionOf("Who declares it", DeclaringTable(report)));
  if (!ObjectOf(report, "policy").empty()) {
    content.Add(
        SectionOf("As it was read", JsonBlock(ObjectOf(report, "policy"), "The policy as JSON")));
  }
  return Document(context, frame, content);
}

}  // namespace bindery::web
