#include <utility>

#include "src/checkpoint/header_text.h"
#include "src/checkpoint/safetensors.h"
#include "src/weights/weight_source.h"

namespace keylens {
namespace {

class SafetensorsSource : public WeightSource {
 public:
  explicit SafetensorsSource(Safetensors file) : file_(std::move(file)) {}

  std::vector<std::string> Names() const override {
    std::vector<std::string> names;
    for (const NamedTensor& tensor : file_.tensors())
      names.push_back(tensor.name);
    return names;
  }

  std::optional<WeightView> Find(std::string_view name) const override {
    const NamedTensor* tensor = file_.Find(name);
    if (tensor == nullptr) return std::nullopt;
    file_.CheckSize();
    return WeightView{file_.name() + ": tensor " + QuotedName(name),
                      tensor->type, tensor->shape, tensor->bytes, false};
  }

  std::string Where(std::string_view) const override { return file_.name(); }

 private:
  Safetensors file_;
};

}  // namespace

std::shared_ptr<const WeightSource> OpenSafetensors(
    const std::filesystem::path& path) {
  return std::make_shared<SafetensorsSource>(Safetensors::Read(path));
}

}  // namespace keylens
