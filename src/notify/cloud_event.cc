#include "core/text/time_text.h"
#include "notify/message.h"
#include "report/codec/source_line.h"
#include "report/reports/reports.h"
#include "report/text/json_fields.h"

namespace bindery::notify {
namespace {

Json ResourcesJson(const std::vector<store::ResourceMention>& resources) {
  Json list = Json::array();
  for (const store::ResourceMention& resource : resources) {
    list.push_back({{"name", resource.name},
                    {"kind", resource.kind},
                    {"labels", report::ObjectFromText(resource.labels)},
                    {"source", report::MakeJson(report::MakeSourceLine(resource.source_file,
                                                                       resource.source_line))}});
  }
  return list;
}

/// The event in the common form, with its subject.
Json EventData(const Notice& entry) {
  Json data = report::ToJson(report::EventLine{entry.event, entry.id});
  data["resources"] = ResourcesJson(entry.resources);
  if (entry.more_resources > 0) data["moreResources"] = entry.more_resources;
  return data;
}

Json Envelope(std::span<const Notice> entries, const std::string& source, const std::string& type) {
  return {{"specversion", "1.0"},
          {"id", MessageId(entries)},
          {"source", source},
          {"type", "io.bindery." + type},
          {"time", FormatRfc3339(entries.back().event.time)},
          {"datacontenttype", "application/json"}};
}

}  // namespace

Json CloudEvent(std::span<const Notice> entries, const std::string& source) {
  if (entries.size() == 1) {
    const Event& event = entries.front().event;
    Json json = Envelope(entries, source, event.reason);
    // A present attribute must not be empty.
    const std::string& subject = event.resource.empty() ? event.target : event.resource;
    if (!subject.empty()) json["subject"] = subject;
    json["data"] = EventData(entries.front());
    return json;
  }
  Json json = Envelope(entries, source, "Summary");
  Json events = Json::array();
  for (const Notice& entry : entries) {
    Json event = EventData(entry);
    event["messageId"] = MessageId({&entry, 1});
    events.push_back(std::move(event));
  }
  json["data"] = {{"count", entries.size()}, {"events", std::move(events)}};
  return json;
}

}  // namespace bindery::notify
