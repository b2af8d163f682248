// Any lines as the names of a file's tensors, under the rules that a model has.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "src/weights/name_map.h"
#include "tests/fuzz/read_or_refuse.h"

namespace {

const keylens::NameMap kMap = {
    .rules = {{"vit.encoder.layer.{i}.attention.{x1}.{*}",
               "encoder.layers.{i}.{x1}.{*}"},
              {"{*}.in_proj_weight", "{*}.q.weight", false, {}, 0, 3},
              {"{*}.in_proj_weight", "{*}.k.weight", true, {}, 1, 3},
              {"{*}.q.{*}.weight", "{*}.query.{*}.weight"},
              {"{*}conv.weight", "{*}linear.weight", false, {4, -1}}},
    .ignored = {"{*}.position_ids", "model_ema.{*}"}};

// Each name has a tensor whose shape depends on its length.
std::shared_ptr<keylens::MemorySource> SourceOf(const std::string& lines) {
  auto source = std::make_shared<keylens::MemorySource>("fuzz");
  const std::vector<float> values(12);
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    const std::string name = lines.substr(at, end - at);
    const int64_t rows = name.size() % 2 == 0 ? 6 : 4;
    source->Add(name, {rows, 12 / rows}, values);
    at = end + 1;
  }
  return source;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  constexpr std::size_t kMost = 1 << 14;
  const std::string lines(reinterpret_cast<const char*>(data),
                          std::min(size, kMost));
  const auto source = SourceOf(lines);
  ReadOrRefuse([&] {
    const keylens::MappedSource mapped(source, kMap);
    for (const std::string& name : mapped.Names()) {
      const auto view = mapped.Find(name);
      if (!view) std::abort();
      std::vector<float> out(
          static_cast<std::size_t>(keylens::ElementCount(*view)));
      keylens::CopyAsFloat(*view, out);
    }
  });
  return 0;
}
