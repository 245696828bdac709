#include "core/time_text.h"
#include "notify/message.h"
#include "report/json_fields.h"
#include "report/reports.h"

namespace bindery::notify {
namespace {

/// A target may have thousands; a message stays small.
constexpr std::size_t kMostResources = 20;

Json ResourcesJson(const std::vector<ResourceMention>& resources) {
  Json list = Json::array();
  for (const ResourceMention& resource : resources) {
    if (list.size() == kMostResources) break;
    list.push_back({{"name", resource.name},
                    {"kind", resource.kind},
                    {"labels", report::ObjectFromText(resource.labels)},
                    {"source", report::SourceJson(resource.source_file, resource.source_line)}});
  }
  return list;
}

/// The event as everywhere else, and whom it concerns.
Json EventData(const JournalEntry& entry) {
  Json data = EventJson(entry.id, entry.event);
  data["resources"] = ResourcesJson(entry.resources);
  if (entry.resources.size() > kMostResources) {
    data["moreResources"] = entry.resources.size() - kMostResources;
  }
  return data;
}

Json Envelope(std::span<const JournalEntry> entries, const std::string& source,
              const std::string& type) {
  return {{"specversion", "1.0"},
          {"id", MessageId(entries)},
          {"source", source},
          {"type", "io.bindery." + type},
          {"time", FormatRfc3339(entries.back().event.time)},
          {"datacontenttype", "application/json"}};
}

}  // namespace

Json CloudEvent(std::span<const JournalEntry> entries, const std::string& source) {
  if (entries.size() == 1) {
    const Event& event = entries.front().event;
    Json json = Envelope(entries, source, event.reason);
    // An attribute that is there must not be empty.
    const std::string& subject = event.resource.empty() ? event.target : event.resource;
    if (!subject.empty()) json["subject"] = subject;
    json["data"] = EventData(entries.front());
    return json;
  }
  Json json = Envelope(entries, source, "Summary");
  Json events = Json::array();
  for (const JournalEntry& entry : entries) {
    Json event = EventData(entry);
    event["messageId"] = MessageId({&entry, 1});
    events.push_back(std::move(event));
  }
  json["data"] = {{"count", entries.size()}, {"events", std::move(events)}};
  return json;
}

}  // namespace bindery::notify
