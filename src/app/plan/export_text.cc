#include "app/plan/export_text.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "convert/convert.h"

namespace bindery::app {

Expected<std::string> ReadExportText(const std::string& name) {
  std::ifstream file;
  if (name != "-") file.open(name, std::ios::binary);
  std::istream& in = name == "-" ? std::cin : file;
  std::string text;
  std::string piece(1U << 16U, '\0');
  while (in && text.size() <= convert::kLargestExport) {
    in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    text.append(piece, 0, static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  }
  const bool is_folder = text.empty() && std::filesystem::is_directory(name);
  if (in.bad() || (name != "-" && !file.is_open()) || is_folder) {
    return Fail(Code::kNotFound, "\"" + name + "\" cannot be read");
  }
  if (text.size() > convert::kLargestExport) {
    return Fail(Code::kInvalidArgument, "\"" + name + "\" is larger than 64 MiB");
  }
  return text;
}

}  // namespace bindery::app
