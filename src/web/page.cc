#include "web/page.h"

#include <algorithm>
#include <array>

#include "core/text/time_text.h"
#include "httpd/url.h"
#include "web/assets.h"
#include "web/parts.h"

namespace bindery::web {
namespace {

struct Section {
  const char* path;
  const char* title;
};
constexpr std::array<Section, 8> kSections = {{{"/", "Overview"},
                                               {"/resources", "Resources"},
                                               {"/targets", "Targets"},
                                               {"/drift", "Drift"},
                                               {"/access", "Access"},
                                               {"/guard", "Guard"},
                                               {"/problems", "Problems"},
                                               {"/events", "Events"}}};

Html Head(const std::string& title) {
  return El(
      "head", {}, Void("meta", {{"charset", "utf-8"}}),
      Void("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}}),
      Void("meta", {{"name", "color-scheme"}, {"content", "light dark"}}),
      El("title", {}, title, " · bindery"),
      Void("link", {{"rel", "stylesheet"}, {"href", AssetPath("style.css")}}),
      Void("link", {{"rel", "icon"}, {"type", "image/svg+xml"}, {"href", AssetPath("icon.svg")}}),
      El("script", {{"src", AssetPath("live.js")}, {"defer", ""}}));
}

/// Finds resources from every page that has no field for a text of its own.
Html SearchField() {
  return El("form",
            {{"class", "find"},
             {"role", "search"},
             {"aria-label", "Resources"},
             {"action", "/resources"}},
            Void("input", {{"type", "search"},
                           {"name", "q"},
                           {"aria-label", "Find resources"},
                           {"placeholder", "Find resources"},
                           {"autocomplete", "off"}}));
}

Html Navigation(const PageContext& context, const Frame& frame) {
  Html items;
  for (const Section& entry : kSections) {
    items.Add(
        El("li", {},
           El("a", {{"href", entry.path}, {"aria-current", "page", entry.path == frame.section}},
              entry.title)));
  }
  return El(
      "header", {{"class", "top"}},
      El("a", {{"class", "brand"}, {"href", "/"}},
         Void("img",
              {{"src", AssetPath("icon.svg")}, {"alt", ""}, {"width", "24"}, {"height", "24"}}),
         El("span", {}, "bindery")),
      El("nav", {{"aria-label", "Pages"}}, El("ul", {}, items)),
      frame.searches ? Html() : SearchField(),
      context.user.empty() ? Html()
                           : El("a", {{"class", "account"}, {"href", "/account"}}, context.user));
}

/// The query of what is shown: the part of the list is named.
Query PartShown(const PageContext& context) {
  if (!context.Asked("limit").empty()) return context.query;
  return Replaced(context.query, {{"limit", kPageLength}});
}

Html Foot(const PageContext& context, const Frame& frame) {
  Html foot;
  foot.Add(El("span", {{"id", "connection"}, {"class", "connection"}},
              frame.live ? "As of the time it was loaded" : "Not renewed by itself"));
  foot.Add(El("span", {}, "Times are UTC"));
  if (frame.has_json) {
    const std::string path = "/api/v1" + context.path;
    const Query shown = frame.list ? PartShown(context) : context.query;
    foot.Add(El("a", {{"href", WithQuery(path, shown)}}, "This page as JSON"));
    if (frame.has_csv) {
      const Query csv = Replaced(shown, {{"format", "csv"}});
      foot.Add(El("a", {{"href", WithQuery(path, csv)}}, "This page as CSV"));
    }
  }
  foot.Add(El("a", {{"href", "/history"}}, "History"));
  foot.Add(El("a", {{"href", "/coverage"}}, "Coverage"));
  foot.Add(El("a", {{"href", "/replicas"}}, "Replicas"));
  foot.Add(El("a", {{"href", "/metrics"}}, "Metrics"));
  foot.Add(El("a", {{"href", "/readyz?verbose"}}, "Health checks"));
  return El("footer", {}, foot);
}

}  // namespace

std::string PageContext::Asked(std::string_view name) const {
  const auto found = std::find_if(query.begin(), query.end(),
                                  [&](const auto& parameter) { return parameter.first == name; });
  return found == query.end() ? std::string() : found->second;
}

std::string Document(const PageContext& context, const Frame& frame, const Html& content) {
  const std::string as_of = FormatRfc3339(frame.as_of.value_or(context.now));
  Html live = El("p", {{"class", "lead"}, {"id", "summary"}}, Prose(frame.summary));
  live.Add(content);
  live.Add(El("p", {{"class", "as-of"}}, "As of ",
              El("time", {{"datetime", as_of}}, as_of.substr(0, 10), " ", as_of.substr(11, 8)),
              " UTC"));
  const Html main =
      El("main",
         {{"id", "main"},
          {"tabindex", "-1"},
          {"class", frame.rows ? "list told" : "list", frame.list || frame.dense || frame.rows}},
         El("h1", {}, Breakable(frame.title)), frame.before,
         El("div", {{"id", "content"}, {"data-live", "", frame.live}}, live));
  const Html body =
      El("body", {}, El("a", {{"class", "skip"}, {"href", "#main"}}, "Skip to the content"),
         Navigation(context, frame), main,
         El("p", {{"id", "announcement"}, {"class", "unseen"}, {"role", "status"}}),
         Foot(context, frame));
  return "<!doctype html>\n" + El("html", {{"lang", "en"}}, Head(frame.title), body).markup() +
         "\n";
}

std::string PathTo(std::initializer_list<std::string_view> segments) {
  std::string path;
  for (const std::string_view segment : segments) path += "/" + httpd::PercentEncode(segment);
  return path;
}

std::string WithQuery(const std::string& path, const Query& query) {
  std::string text = path;
  char before = '?';
  for (const auto& [name, value] : query) {
    if (value.empty()) continue;
    text += before + httpd::PercentEncode(name) + "=" + httpd::PercentEncode(value, "/:@,");
    before = '&';
  }
  return text;
}

Query Replaced(const Query& query, const Query& parameters) {
  Query replaced;
  const auto named = [](const Query& list, const std::string& name) {
    return std::any_of(list.begin(), list.end(),
                       [&](const auto& parameter) { return parameter.first == name; });
  };
  for (const auto& parameter : query) {
    if (!named(parameters, parameter.first)) replaced.push_back(parameter);
  }
  replaced.insert(replaced.end(), parameters.begin(), parameters.end());
  return replaced;
}

}  // namespace bindery::web
