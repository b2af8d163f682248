// Any bytes as a safetensors file, and as the header of one whose length is
// right.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "src/checkpoint/safetensors.h"
#include "tests/fuzz/read_or_refuse.h"

namespace {

// Every byte of data belongs to one tensor, and each tensor's bytes are those
// of its shape.
void CheckFile(const keylens::Safetensors& file, std::size_t file_bytes) {
  std::size_t data_bytes = 0;
  std::set<std::string> names;
  for (const keylens::NamedTensor& tensor : file.tensors()) {
    const int64_t expected = keylens::DenseBytes(tensor.type, tensor.shape);
    if (expected != static_cast<int64_t>(tensor.bytes.size())) std::abort();
    if (file.Find(tensor.name) != &tensor || !names.insert(tensor.name).second)
      std::abort();
    data_bytes += tensor.bytes.size();
    if (keylens::HasFloats(tensor.type)) {
      const auto values = keylens::ToFloat32(tensor);
      if (values.size() * keylens::SizeOf(tensor.type) != tensor.bytes.size())
        std::abort();
    }
  }
  if (data_bytes + 8 > file_bytes) std::abort();
}

void ParseOrRefuse(std::string bytes) {
  const std::size_t size = bytes.size();
  ReadOrRefuse([&] {
    CheckFile(keylens::Safetensors::Parse(std::move(bytes), "fuzz"), size);
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  ParseOrRefuse(bytes);
  // Up to the last brace is the header, what follows is data.
  const std::size_t end = bytes.rfind('}');
  if (end == std::string::npos) return 0;
  const uint64_t length = end + 1;
  std::string framed(sizeof(length), '\0');
  std::memcpy(framed.data(), &length, sizeof(length));
  ParseOrRefuse(framed + bytes);
  return 0;
}
