#include "tests/inspect/numpy_file.h"

#include <cstring>
#include <random>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/checkpoint/safetensors.h"
#include "tests/temporary_path.h"

namespace keylens::inspect {
namespace {

template <typename T>
std::string BytesOf(T element) {
  return {reinterpret_cast<const char*>(&element), sizeof(T)};
}

std::string ElementOf(const std::string& descr, double number) {
  const auto value = static_cast<float>(number);
  if (descr == "<f8") return BytesOf(number);
  if (descr == "<f4") return BytesOf(value);
  if (descr == "<f2") return BytesOf(Float16FromFloat(value));
  if (descr == "<V2") return BytesOf(BFloat16FromFloat(value));
  if (descr == "<i8") return BytesOf(static_cast<int64_t>(number));
  if (descr == "<i4") return BytesOf(static_cast<int32_t>(number));
  return BytesOf(static_cast<uint8_t>(number));
}

std::string Header(const std::string& descr, const std::vector<int64_t>& shape,
                   bool fortran) {
  std::string tuple;
  for (const int64_t size : shape) tuple += std::to_string(size) + ", ";
  std::string text = "{'descr': '" + descr +
                     "', 'fortran_order': " + (fortran ? "True" : "False") +
                     ", 'shape': (" + tuple + "), }";
  while ((text.size() + 11) % 64 != 0) text.push_back(' ');
  text.push_back('\n');
  std::string file("\x93NUMPY\x01\x00", 8);
  file.push_back(static_cast<char>(text.size() & 0xFF));
  file.push_back(static_cast<char>(text.size() >> 8));
  return file + text;
}

// Where the element with that row-major number lies in Fortran's order.
int64_t FortranPlace(int64_t number, const std::vector<int64_t>& shape) {
  int64_t place = 0;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    int64_t stride = 1;
    for (std::size_t before = 0; before < axis; ++before)
      stride *= shape[before];
    place += number % shape[axis] * stride;
    number /= shape[axis];
  }
  return place;
}

}  // namespace

NumpyFolder::NumpyFolder() : folder_(TemporaryPath("arrays")) {
  MakeFolder(folder_);
}

NumpyFolder::~NumpyFolder() { std::filesystem::remove_all(folder_); }

Array NumpyFolder::Save(const std::string& name, const std::string& descr,
                        const std::vector<int64_t>& shape,
                        const std::vector<double>& numbers,
                        bool fortran) const {
  std::vector<double> lying = numbers;
  for (std::size_t i = 0; fortran && i < numbers.size(); ++i) {
    const int64_t place = FortranPlace(static_cast<int64_t>(i), shape);
    lying[static_cast<std::size_t>(place)] = numbers[i];
  }
  std::string file = Header(descr, shape, fortran);
  for (const double number : lying) file += ElementOf(descr, number);
  WriteFileAtomically(Path(name), file);
  return ArrayReader().Read(Path(name));
}

void NumpyFolder::SaveText(const std::string& name,
                           const std::string& text) const {
  WriteFileAtomically(Path(name), text);
}

std::vector<double> NormalNumbers(int64_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  std::vector<double> numbers;
  for (int64_t i = 0; i < count; ++i)
    numbers.push_back(FloatFromBFloat16(BFloat16FromFloat(normal(random))));
  return numbers;
}

std::string ErrorOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace keylens::inspect
