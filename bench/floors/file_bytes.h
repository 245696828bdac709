#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

namespace floors {

/// The content of a small file, by as few calls as there can be: open, read until the end, close.
inline void ReadFile(const std::string& path, std::string& content) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw std::runtime_error("cannot open " + path);
  std::size_t size = 0;
  content.resize(std::max<std::size_t>(content.capacity(), 4096));
  for (;;) {
    if (size == content.size()) content.resize(size * 2);
    const ::ssize_t got = ::read(file, content.data() + size, content.size() - size);
    if (got <= 0) break;
    size += static_cast<std::size_t>(got);
  }
  ::close(file);
  content.resize(size);
}

}  // namespace floors
