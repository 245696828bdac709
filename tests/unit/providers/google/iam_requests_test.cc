// The requests for every row's policy, against the methods in Google's discovery documents.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "providers/google/clients/iam_policy_client.h"
#include "support/iam_names.h"
#include "support/matchers.h"

namespace bindery::google {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using testing::IsOk;
using testing::SampleNames;

/// One method of a document.
struct Method {
  std::string verb;
  std::string path;
  std::set<std::string> queries;
  std::set<std::string> fields;
};

std::set<std::string> MakeList(const std::string& text) {
  std::set<std::string> list;
  if (text == "-") return list;
  for (const std::string_view item : manifests::Split(text, ',')) list.emplace(item);
  return list;
}

/// By service and version: "pubsub/v1".
std::multimap<std::string, Method> ReadMethods() {
  std::multimap<std::string, Method> methods;
  std::ifstream file(BINDERY_IAM_REQUESTS);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string module;
    std::string queries;
    std::string fields;
    Method method;
    if (line.starts_with('#') ||
        !(words >> module >> method.verb >> method.path >> queries >> fields)) {
      continue;
    }
    method.queries = MakeList(queries);
    method.fields = MakeList(fields);
    methods.emplace(module, std::move(method));
  }
  return methods;
}

/// `variable`: what a placeholder stands for. Some documents have one for a whole name.
bool Fits(const std::string& path, const Method& method, const std::string& variable) {
  std::string pattern;
  for (std::size_t i = 0; i < method.path.size(); ++i) {
    if (method.path.compare(i, 2, "{}") == 0) {
      pattern += variable;
      ++i;
    } else {
      if (std::string_view(".+*?()[]").find(method.path[i]) != std::string_view::npos)
        pattern += '\\';
      pattern += method.path[i];
    }
  }
  return std::regex_match(path, std::regex(pattern));
}

/// The method that a request calls; null: there is none.
const Method* Find(const std::multimap<std::string, Method>& methods, const IamRow& row,
                   const std::string& verb, const std::string& path) {
  const auto [begin, end] = methods.equal_range(std::string(row.id.substr(0, row.id.find(':'))));
  for (const char* variable : {"[^/]+", ".+"}) {
    for (auto each = begin; each != end; ++each) {
      if (each->second.verb == verb && Fits(path, each->second, variable)) return &each->second;
    }
  }
  return nullptr;
}

/// Checks one request; returns what is wrong.
std::string JudgeRequest(const std::multimap<std::string, Method>& methods, const IamRow& row,
                         const cloud::HttpRequest& request) {
  const std::string base = "https://" + std::string(row.service) + ".googleapis.com/";
  if (!request.url.starts_with(base)) return "another host: " + request.url;
  const std::string rest = request.url.substr(base.size());
  const std::string path = rest.substr(0, rest.find('?'));
  const Method* method = Find(methods, row, request.method, path);
  if (method == nullptr) return "no such method: " + request.method + " " + path;
  std::set<std::string> queries;
  if (rest.size() > path.size()) {
    for (const std::string_view item :
         manifests::Split(std::string_view(rest).substr(path.size() + 1), '&')) {
      queries.emplace(item.substr(0, item.find('=')));
    }
  }
  for (const std::string& query : queries) {
    if (!method->queries.contains(query)) return "no such parameter: " + query;
  }
  std::set<std::string> fields;
  const Json body = request.body.empty() ? Json::object() : Json::parse(request.body);
  for (const auto& [name, value] : body.items()) {
    fields.insert(name);
    if (name != "policy" && name != "options") continue;
    for (const auto& [field, unused] : value.items()) fields.insert(name + "." + field);
  }
  for (const std::string& field : fields) {
    if (!method->fields.contains(field)) return "no such field: " + field;
  }
  // A policy that is read without its version comes back without its conditions.
  const auto wants_version = [](const std::set<std::string>& names) {
    return std::any_of(names.begin(), names.end(), [](const std::string& name) {
      return name.find("equestedPolicyVersion") != std::string::npos;
    });
  };
  const bool can = wants_version(method->queries) || wants_version(method->fields);
  if (can && request.operation == std::string_view("getIamPolicy") && !wants_version(queries) &&
      !wants_version(fields)) {
    return "the version is not asked for";
  }
  return "";
}

/// Keeps the last request and answers {}.
class RecordingTransport final : public cloud::Transport {
 public:
  Expected<cloud::HttpResponse> Send(const cloud::HttpRequest& request) override {
    last = request;
    cloud::HttpResponse response;
    response.status = 200;
    response.body = "{}";
    return response;
  }
  cloud::HttpRequest last;
};

TEST(IamRequests, AreThoseOfTheDiscoveryDocuments) {
  const auto methods = ReadMethods();
  ASSERT_GT(methods.size(), 1000U);
  std::size_t names = 0;
  for (const IamRow& row : IamRows()) {
    for (const std::string& name : SampleNames(row)) {
      ++names;
      // Hosts of locations are for another test.
      IamRow plain = row;
      plain.location_host = {};
      const IamPolicyClient::Endpoint endpoint{
          plain, "https://" + std::string(row.service) + ".googleapis.com"};
      const auto read = IamPolicyClient::BuildGet(endpoint, name, 1s);
      ASSERT_THAT(read, IsOk()) << name;
      EXPECT_EQ(JudgeRequest(methods, row, read->request), "") << row.id << " " << name;
      const Json policy = {{"etag", "ACAB"}, {"bindings", Json::array()}, {"version", 1}};
      const auto write = IamPolicyClient::BuildSet(endpoint, name, {policy}, 1s);
      ASSERT_THAT(write, IsOk()) << name;
      EXPECT_EQ(JudgeRequest(methods, row, write->request), "") << row.id << " " << name;
    }
  }
  EXPECT_GT(names, 300U);
}

TEST(IamRequests, ForPermissionsAreThoseOfTheDiscoveryDocuments) {
  const auto methods = ReadMethods();
  const auto transport = std::make_shared<RecordingTransport>();
  std::size_t tested = 0;
  for (const IamRow& row : IamRows()) {
    if (row.test == IamVerb::kNone) continue;
    IamRow plain = row;
    plain.location_host = {};
    const IamPolicyClient client({plain, "https://" + std::string(row.service) + ".googleapis.com"},
                                 transport, cloud::NoCredentials());
    for (const std::string& name : SampleNames(row)) {
      ++tested;
      ASSERT_THAT(client.TestPermissions(name, {"a.b.get", "a.b.setIamPolicy"}, 1s), IsOk())
          << name;
      EXPECT_EQ(JudgeRequest(methods, row, transport->last), "") << row.id << " " << name;
      EXPECT_NE(transport->last.url.find("estIamPermissions") == std::string::npos,
                transport->last.url.find("/iam/testPermissions?permissions=") == std::string::npos)
          << transport->last.url;
    }
  }
  EXPECT_GT(tested, 280U);
}

TEST(IamRequests, GoToTheHostOfTheLocationWhereTheServiceHasOne) {
  struct Case {
    const char* base;
    const char* name;
    const char* host;
  };
  const Case cases[] = {
      {"https://secretmanager.googleapis.com", "projects/p/locations/europe-west1/secrets/s",
       "https://secretmanager.europe-west1.rep.googleapis.com/"},
      {"https://secretmanager.googleapis.com", "projects/p/secrets/s",
       "https://secretmanager.googleapis.com/"},
      {"https://secretmanager.example-universe.goog", "projects/p/locations/l/secrets/s",
       "https://secretmanager.l.rep.example-universe.goog/"},
      {"https://secretmanager.mtls.googleapis.com", "projects/p/locations/l/secrets/s",
       "https://secretmanager.l.rep.mtls.googleapis.com/"},
      {"http://127.0.0.1:9818/secretmanager.googleapis.com", "projects/p/locations/l/secrets/s",
       "http://127.0.0.1:9818/secretmanager.l.rep.googleapis.com/"},
      {"https://proxy.example/secrets", "projects/p/locations/l/secrets/s",
       "https://proxy.example/secrets/"},
  };
  for (const Case& one : cases) {
    const auto read =
        IamPolicyClient::BuildGet({*FindIamRow("secretmanager/v1:Secret"), one.base}, one.name, 1s);
    ASSERT_THAT(read, IsOk()) << one.name;
    EXPECT_EQ(read->request.url.substr(0, std::string(one.host).size()), one.host);
  }
}

TEST(IamRequests, ForTheEtagAreThoseForThePolicyWithFields) {
  for (const IamRow& row : IamRows()) {
    const std::string name = SampleNames(row).front();
    const IamPolicyClient::Endpoint endpoint{
        row, "https://" + std::string(row.service) + ".googleapis.com"};
    const auto read = IamPolicyClient::BuildGet(endpoint, name, 1s);
    const auto etag = IamPolicyClient::ReadEtag(endpoint, name, 1s);
    ASSERT_THAT(etag, IsOk()) << name;
    const std::string& url = read->request.url;
    EXPECT_EQ(etag->request.url,
              url + (url.find('?') == std::string::npos ? "?" : "&") + "fields=etag");
    EXPECT_EQ(etag->request.method, read->request.method);
    EXPECT_EQ(etag->request.body, read->request.body) << "the version stays";
  }
}

TEST(IamRequests, EncodeSlashesOfNamesThatMayHoldThem) {
  const auto read = IamPolicyClient::BuildGet(
      {*FindIamRow("storage/v1:Object"), "https://storage.googleapis.com"}, "b/data/o/2026/11/a b",
      1s);
  ASSERT_THAT(read, IsOk());
  EXPECT_THAT(read->request.url,
              ::testing::StartsWith(
                  "https://storage.googleapis.com/storage/v1/b/data/o/2026%2F11%2Fa%20b/iam"));
}

}  // namespace
}  // namespace bindery::google
