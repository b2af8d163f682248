#include "src/nn/inference/packed_layers.h"

#include <algorithm>

#include "src/base/error.h"
#include "src/nn/inference/row_kernels.h"

namespace keylens::nn {
namespace {

std::string ToText(const std::vector<int64_t>& shape) {
  std::string text;
  for (const int64_t size : shape)
    text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "[" + text + "]";
}

std::vector<int64_t> WeightShape(const LinearSpec& layer) {
  if (!layer.shape.empty()) return layer.shape;
  return {layer.out, layer.in};
}

int64_t SumOfOutputs(const std::vector<LinearSpec>& layers) {
  int64_t sum = 0;
  for (const LinearSpec& layer : layers) sum += layer.out;
  return sum;
}

}  // namespace

WeightView FindWeight(const WeightSource& weights, const std::string& name,
                      const std::vector<int64_t>& shape) {
  std::optional<WeightView> view = weights.Find(name);
  if (!view)
    throw Error(weights.Where(name) + ": tensor " + name + " is missing");
  if (view->shape != shape) {
    throw Error(weights.Where(name) + ": tensor " + name + " has shape " +
                ToText(view->shape) + "; the model's is " + ToText(shape));
  }
  return *std::move(view);
}

std::vector<float> ReadWeight(const WeightSource& weights,
                              const std::string& name,
                              const std::vector<int64_t>& shape) {
  const WeightView view = FindWeight(weights, name, shape);
  std::vector<float> values(static_cast<std::size_t>(ElementCount(view)));
  CopyAsFloat(view, values);
  return values;
}

PackedLinear::PackedLinear(int64_t in, int64_t out)
    : in_(in),
      out_(out),
      weight_(PackedSize(in, out)),
      bias_(PackedSize(1, out)) {
  std::fill_n(weight_.get(), PackedSize(in, out), 0.0f);
  std::fill_n(bias_.get(), PackedSize(1, out), 0.0f);
}

PackedLinear::PackedLinear(const WeightSource& weights, const LinearSpec& layer)
    : PackedLinear(layer.in, layer.out) {
  PackLayer(weights, layer, 0, nullptr);
}

PackedLinear::PackedLinear(const WeightSource& weights,
                           const std::vector<LinearSpec>& layers)
    : PackedLinear(layers.at(0).in, SumOfOutputs(layers)) {
  int64_t column = 0;
  for (const LinearSpec& layer : layers) {
    PackLayer(weights, layer, column, nullptr);
    column += layer.out;
  }
}

PackedLinear::PackedLinear(const WeightView& matrix, int64_t in, int64_t out)
    : PackedLinear(in, out) {
  PackRows(matrix, 0, nullptr);
}

PackedLinear::PackedLinear(const WeightSource& weights, const LinearSpec& layer,
                           const std::vector<float>& factors)
    : PackedLinear(layer.in, layer.out) {
  PackLayer(weights, layer, 0, factors.empty() ? nullptr : factors.data());
}

// As many rows at a time as make a panel: what lies between the source and the
// packed order is small.
void PackedLinear::PackRows(const WeightView& matrix, int64_t first_column,
                            const float* factors) {
  std::vector<float> rows(static_cast<std::size_t>(kPanelColumns * in_));
  const int64_t count = in_ == 0 ? 0 : ElementCount(matrix) / in_;
  for (int64_t row = 0; row < count; row += kPanelColumns) {
    const int64_t some = std::min(kPanelColumns, count - row);
    const std::span part(rows.data(), static_cast<std::size_t>(some * in_));
    CopyAsFloat(matrix, row * in_, part);
    for (int64_t i = 0; factors != nullptr && i < some * in_; ++i)
      part[static_cast<std::size_t>(i)] *= factors[row + i / in_];
    PackColumns(part.data(), in_, some, first_column + row, weight_.get());
  }
}

void PackedLinear::PackBias(const std::vector<float>& bias,
                            int64_t first_column, const float* factors) {
  for (std::size_t i = 0; i < bias.size(); ++i) {
    bias_.get()[first_column + static_cast<int64_t>(i)] =
        factors == nullptr ? bias[i] : bias[i] * factors[i];
  }
}

void PackedLinear::PackLayer(const WeightSource& weights,
                             const LinearSpec& layer, int64_t first_column,
                             const float* factors) {
  PackRows(FindWeight(weights, layer.name + ".weight", WeightShape(layer)),
           first_column, factors);
  if (layer.bias) {
    PackBias(ReadWeight(weights, layer.name + ".bias", {layer.out}),
             first_column, factors);
  }
}

void PackedLinear::Apply(const float* x, int64_t n, float* y) const {
  MultiplyRows(x, n, in_, weight_.get(), bias_.get(), out_, false, y);
}

void PackedLinear::Add(const float* x, int64_t n, float* y) const {
  MultiplyRows(x, n, in_, weight_.get(), bias_.get(), out_, true, y);
}

PackedNorm::PackedNorm(const WeightSource& weights, const std::string& name,
                       int64_t size, double eps)
    : scale_(ReadWeight(weights, name + ".weight", {size})),
      shift_(ReadWeight(weights, name + ".bias", {size})),
      epsilon_(static_cast<float>(eps)) {}

void PackedNorm::Apply(const float* x, int64_t n, float* y) const {
  NormalizeRows(x, n, static_cast<int64_t>(scale_.size()), scale_.data(),
                shift_.data(), epsilon_, y);
}

}  // namespace keylens::nn
