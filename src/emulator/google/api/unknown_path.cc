#include <string>

#include "emulator/google/api/api.h"

namespace bindery::emulator {
namespace {

std::string EscapeHtml(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '<') {
      escaped += "&lt;";
    } else if (c == '>') {
      escaped += "&gt;";
    } else if (c == '&') {
      escaped += "&amp;";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

}  // namespace

httpd::Response UnknownPath(const httpd::Request& request) {
  httpd::Response response;
  response.status = 404;
  response.headers = {{"Content-Type", "text/html; charset=UTF-8"},
                      {"Referrer-Policy", "no-referrer"}};
  response.body =
      "<!DOCTYPE html>\n<html lang=en>\n  <meta charset=utf-8>\n  <title>Error 404 (Not Found)!!1"
      "</title>\n  <p><b>404.</b> <ins>That\xE2\x80\x99s an error.</ins>\n  <p>The requested URL "
      "<code>" +
      EscapeHtml(request.raw_path) +
      "</code> was not found on this server.  <ins>That\xE2\x80\x99s all we know.</ins>\n";
  return response;
}

}  // namespace bindery::emulator
