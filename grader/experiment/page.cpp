#include "grader/experiment/page.h"

#include <fmt/format.h>

#include <string_view>

namespace tessera {

Expected<std::string> with_tables(const std::string& page, const std::string& tables,
                                  const std::string& file) {
  const std::size_t begin = page.find(kTablesBegin);
  const std::size_t end = page.find(kTablesEnd);
  if (begin == std::string::npos || end == std::string::npos || end < begin) {
    return Error{
        .file = file,
        .message = fmt::format("has no place for tables; add a line '{}' and below it a line '{}'",
                               kTablesBegin, kTablesEnd)};
  }
  const std::size_t from = begin + std::string_view(kTablesBegin).size();
  return page.substr(0, from) + "\n\n" + tables + "\n" + page.substr(end);
}

}  // namespace tessera
