#include "harness/static_server.h"

#include <unistd.h>

#include <filesystem>
#include <stdexcept>

namespace bindery::bench {
namespace {

constexpr const char* kProgram = "/usr/sbin/nginx";
constexpr double kPatienceSeconds = 30;
constexpr double kPollSeconds = 0.01;

}  // namespace

bool StaticServer::Installed() { return ::access(kProgram, X_OK) == 0; }

StaticServer::StaticServer() {
  const std::string at = folder_ / "";
  std::filesystem::create_directories(folder_ / "files");
  WriteText(folder_ / "nginx.conf",
            "daemon off; master_process off; pid " + at + "pid; error_log " + at +
                "error.log;\n"
                "events { worker_connections 64; }\n"
                "http {\n"
                "  access_log off; sendfile on; keepalive_requests 1000000000;\n"
                "  client_body_temp_path " +
                at + "body; proxy_temp_path " + at +
                "proxy;\n"
                "  fastcgi_temp_path " +
                at + "fastcgi; uwsgi_temp_path " + at + "uwsgi; scgi_temp_path " + at +
                "scgi;\n"
                "  default_type application/json;\n"
                "  server { listen unix:" +
                Socket() + "; root " + at +
                "files; }\n"
                "}\n");
  process_ = std::make_unique<ChildProcess>(
      std::vector<std::string>{kProgram, "-c", folder_ / "nginx.conf", "-e", at + "error.log"},
      folder_ / "out", folder_ / "err");
  double waited = 0;
  while (!std::filesystem::exists(Socket())) {
    if (!process_->Running() || waited > kPatienceSeconds) {
      throw std::runtime_error("nginx does not serve: " + ReadText(folder_ / "err"));
    }
    Pause(kPollSeconds);
    waited += kPollSeconds;
  }
}

void StaticServer::Put(const std::string& name, std::string_view bytes) const {
  WriteText(folder_ / ("files/" + name), bytes);
}

}  // namespace bindery::bench
