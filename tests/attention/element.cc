#include "tests/attention/element.h"

#include <keylens/engine.h>

#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "tests/attention/span_copy.h"

namespace keylens {
namespace {

Element chosen = Element::kFloat;

template <typename T>
struct Inputs {
  explicit Inputs(const AttentionInputs<float>& from)
      : query(from.query), key(from.key), value(from.value) {}

  AttentionInputs<T> views() {
    return {query.view(), key.view(), value.view()};
  }

  InputCopy<T, 4> query, key, value;
};

template <typename T>
struct Outputs {
  explicit Outputs(const AttentionOutputs<float>& to)
      : out(to.out), logsumexp(to.logsumexp) {}

  AttentionOutputs<T> views() { return {out.view(), logsumexp}; }

  OutputCopy<T> out;
  TensorView<float, 3> logsumexp;
};

template <typename T>
struct Grads {
  explicit Grads(const AttentionGradients<float>& to)
      : query(to.query), key(to.key), value(to.value), others(to) {}

  AttentionGradients<T> views() {
    return {.query = query.view(),
            .key = key.view(),
            .value = value.view(),
            .sinks = others.sinks,
            .query_group = others.query_group,
            .key_group = others.key_group,
            .relevance = others.relevance};
  }
  void WriteBack() const {
    query.WriteBack();
    key.WriteBack();
    value.WriteBack();
  }

  OutputCopy<T> query, key, value;
  const AttentionGradients<float>& others;
};

}  // namespace

ChosenElement::ChosenElement(Element element) : before_(chosen) {
  chosen = element;
}
ChosenElement::~ChosenElement() { chosen = before_; }

Element ElementForTest() { return chosen; }

std::string ElementName(Element element) {
  switch (element) {
    case Element::kFloat:
      return "Float";
    case Element::kBFloat16:
      return "BFloat16";
    case Element::kFloat16:
      return "Float16";
  }
  return "";
}

float Rounded(float value) {
  ForChosenType([&]<typename T>() { value = static_cast<float>(T(value)); });
  return value;
}

std::vector<double> WithOverflow(std::vector<double> values) {
  for (double& value : values) {
    const float rounded = Rounded(static_cast<float>(value));
    if (std::isinf(rounded)) value = rounded;
  }
  return values;
}

float LeastPositive() {
  float least = std::numeric_limits<float>::denorm_min();
  while (Rounded(least) == 0.0f) least *= 2;
  return least;
}

// Half a unit in the last place: of 8 bits, or of 11 of which none is below
// 2^-24.
double RoundingOf(double largest) {
  switch (chosen) {
    case Element::kFloat:
      return 0;
    case Element::kBFloat16:
      return largest * 0x1p-8;
    case Element::kFloat16:
      return largest * 0x1p-11 + 0x1p-25;
  }
  return 0;
}

void RunForward(const AttentionInputs<float>& inputs,
                const AttentionOptions& options,
                const AttentionOutputs<float>& outputs,
                const Inspection* inspection) {
  ForChosenType([&]<typename T>() {
    Inputs<T> in(inputs);
    Outputs<T> out(outputs);
    AttentionForward<T>(in.views(), options, out.views(), inspection);
    out.out.WriteBack();
  });
}

void RunBackward(const AttentionInputs<float>& inputs,
                 const AttentionOptions& options,
                 const AttentionOutputs<float>& forward,
                 const TensorView<const float, 4>& out_grad,
                 const AttentionGradients<float>& gradients) {
  ForChosenType([&]<typename T>() {
    Inputs<T> in(inputs);
    Outputs<T> out(forward);
    InputCopy<T, 4> grad(out_grad);
    Grads<T> grads(gradients);
    AttentionBackward<T>(in.views(), options, out.views(), grad.view(),
                         grads.views());
    grads.WriteBack();
  });
}

void RunInspect(const AttentionInputs<float>& inputs,
                const AttentionOptions& options,
                const TensorView<const float, 3>& logsumexp,
                const Inspection& inspection) {
  ForChosenType([&]<typename T>() {
    Inputs<T> in(inputs);
    AttentionInspect<T>(in.views(), options, logsumexp, inspection);
  });
}

void RunForwardPacked(const AttentionInputs<float>& inputs,
                      const SequenceOffsets& offsets,
                      const AttentionOptions& options,
                      const AttentionOutputs<float>& outputs) {
  ForChosenType([&]<typename T>() {
    Inputs<T> in(inputs);
    Outputs<T> out(outputs);
    AttentionForwardPacked<T>(in.views(), offsets, options, out.views());
    out.out.WriteBack();
  });
}

void RunBackwardPacked(const AttentionInputs<float>& inputs,
                       const SequenceOffsets& offsets,
                       const AttentionOptions& options,
                       const AttentionOutputs<float>& forward,
                       const TensorView<const float, 4>& out_grad,
                       const AttentionGradients<float>& gradients) {
  ForChosenType([&]<typename T>() {
    Inputs<T> in(inputs);
    Outputs<T> out(forward);
    InputCopy<T, 4> grad(out_grad);
    Grads<T> grads(gradients);
    AttentionBackwardPacked<T>(in.views(), offsets, options, out.views(),
                               grad.view(), grads.views());
    grads.WriteBack();
  });
}

void RunAppend(KeyValueCache& cache, int64_t sequence,
               const TensorView<const float, 3>& key,
               const TensorView<const float, 3>& value) {
  ForChosenType([&]<typename T>() {
    InputCopy<T, 3> keys(key), values(value);
    cache.Append<T>(sequence, keys.view(), values.view());
  });
}

void RunDecode(const TensorView<const float, 4>& query,
               const KeyValueCache& cache, std::span<const int64_t> sequences,
               const AttentionOptions& options,
               const AttentionOutputs<float>& outputs) {
  ForChosenType([&]<typename T>() {
    InputCopy<T, 4> in(query);
    Outputs<T> out(outputs);
    AttentionDecode<T>(in.view(), cache, sequences, options, out.views());
    out.out.WriteBack();
  });
}

void RunMerge(std::span<const AttentionPart<float>> parts,
              const AttentionOutputs<float>& merged, int num_threads) {
  ForChosenType([&]<typename T>() {
    std::deque<InputCopy<T, 4>> outs;  // which stay where they are
    std::vector<AttentionPart<T>> copies;
    for (const AttentionPart<float>& part : parts) {
      outs.emplace_back(part.out);
      copies.push_back({outs.back().view(), part.logsumexp});
    }
    Outputs<T> out(merged);
    MergeAttention<T>(copies, out.views(), num_threads);
    out.out.WriteBack();
  });
}

}  // namespace keylens
