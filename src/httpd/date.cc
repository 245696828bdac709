#include "httpd/date.h"

#include <chrono>
#include <ctime>

namespace bindery::httpd {

std::string HttpDate(WallTime time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts = {};
  ::gmtime_r(&seconds, &parts);
  char text[40];
  const std::size_t size = std::strftime(text, sizeof(text), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  return {text, size};
}

}  // namespace bindery::httpd
