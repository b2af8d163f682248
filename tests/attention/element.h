#ifndef KEYLENS_TESTS_ATTENTION_ELEMENT_H_
#define KEYLENS_TESTS_ATTENTION_ELEMENT_H_

#include <keylens/attention.h>
#include <keylens/key_value_cache.h>
#include <keylens/packed_sequences.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace keylens {

// The element types of the engine. Like Highway's targets, one is chosen for
// all calls that a test makes, kFloat unless a test says otherwise: tensors of
// tests hold floats, and the functions below call the engine with copies of
// them in the chosen type.
enum class Element { kFloat, kBFloat16, kFloat16 };

inline constexpr Element kElements[] = {Element::kFloat, Element::kBFloat16,
                                        Element::kFloat16};

// Chooses a type while it lives.
class ChosenElement {
 public:
  explicit ChosenElement(Element element);
  ~ChosenElement();
  ChosenElement(const ChosenElement&) = delete;
  ChosenElement& operator=(const ChosenElement&) = delete;

 private:
  Element before_;
};

std::string ElementName(Element element);

Element ElementForTest();

// call.template operator()<T>() for the chosen type T.
template <typename Call>
void ForChosenType(const Call& call) {
  switch (ElementForTest()) {
    case Element::kFloat:
      return call.template operator()<float>();
    case Element::kBFloat16:
      return call.template operator()<BFloat16>();
    case Element::kFloat16:
      return call.template operator()<Float16>();
  }
}

// The nearest number of the chosen type.
float Rounded(float value);

// Infinities for the numbers that round to one.
std::vector<double> WithOverflow(std::vector<double> values);

// The least number above 0.
float LeastPositive();

// How far that may be from a number no larger than `largest`; 0 for floats,
// whose rounding the bounds of AsGoodAsNaive contain.
double RoundingOf(double largest);

// Where the engine writes between the elements of an output, so do these.
void RunForward(const AttentionInputs<float>& inputs,
                const AttentionOptions& options,
                const AttentionOutputs<float>& outputs,
                const Inspection* inspection = nullptr);
void RunBackward(const AttentionInputs<float>& inputs,
                 const AttentionOptions& options,
                 const AttentionOutputs<float>& forward,
                 const TensorView<const float, 4>& out_grad,
                 const AttentionGradients<float>& gradients);
void RunInspect(const AttentionInputs<float>& inputs,
                const AttentionOptions& options,
                const TensorView<const float, 3>& logsumexp,
                const Inspection& inspection);
void RunForwardPacked(const AttentionInputs<float>& inputs,
                      const SequenceOffsets& offsets,
                      const AttentionOptions& options,
                      const AttentionOutputs<float>& outputs);
void RunBackwardPacked(const AttentionInputs<float>& inputs,
                       const SequenceOffsets& offsets,
                       const AttentionOptions& options,
                       const AttentionOutputs<float>& forward,
                       const TensorView<const float, 4>& out_grad,
                       const AttentionGradients<float>& gradients);
void RunAppend(KeyValueCache& cache, int64_t sequence,
               const TensorView<const float, 3>& key,
               const TensorView<const float, 3>& value);
void RunDecode(const TensorView<const float, 4>& query,
               const KeyValueCache& cache, std::span<const int64_t> sequences,
               const AttentionOptions& options,
               const AttentionOutputs<float>& outputs);
void RunMerge(std::span<const AttentionPart<float>> parts,
              const AttentionOutputs<float>& merged, int num_threads = 0);

}  // namespace keylens

#endif  // KEYLENS_TESTS_ATTENTION_ELEMENT_H_
