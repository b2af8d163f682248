#include <keylens/attention.h>

#include <optional>
#include <string>
#include <vector>

#include "src/c_api/call_structs.h"
#include "src/c_api/handles.h"

namespace keylens::c_api {
namespace {

void Forward(keylens_element element, const keylens_attention_inputs* inputs,
             const keylens_options* options,
             const keylens_attention_outputs* outputs,
             const keylens_inspection* inspection) {
  std::optional<Inspection> look;
  if (inspection != nullptr) look = ToInspection(*inspection);
  WithElement(element, [&]<typename T>(T /*element*/) {
    AttentionForward(ToInputs<T>(inputs), ToOptions(options),
                     ToOutputs<T>("outputs", outputs),
                     look.has_value() ? &*look : nullptr);
  });
}

template <typename T>
AttentionPart<T> ToPart(const keylens_attention_outputs& part) {
  return {ToView<const T, 4>("out of a part", part.out),
          ToView<const float, 3>("logsumexp of a part", part.logsumexp)};
}

void Merge(keylens_element element, const keylens_attention_outputs* parts,
           int64_t count, const keylens_attention_outputs* merged,
           int32_t num_threads) {
  const auto given = Array("parts", parts, count);
  WithElement(element, [&]<typename T>(T /*element*/) {
    std::vector<AttentionPart<T>> views;
    for (const keylens_attention_outputs& part : given)
      views.push_back(ToPart<T>(part));
    MergeAttention<T>(views, ToOutputs<T>("merged", merged), num_threads);
  });
}

}  // namespace
}  // namespace keylens::c_api

using keylens::c_api::Guarded;
using keylens::c_api::Required;
using keylens::c_api::ToInputs;
using keylens::c_api::ToOptions;
using keylens::c_api::ToView;

extern "C" {

keylens_status keylens_attention_forward(
    keylens_element element, const keylens_attention_inputs* inputs,
    const keylens_options* options, const keylens_attention_outputs* outputs,
    const keylens_inspection* inspection) {
  return Guarded("keylens_attention_forward", [&] {
    keylens::c_api::Forward(element, inputs, options, outputs, inspection);
  });
}

keylens_status keylens_attention_backward(
    keylens_element element, const keylens_attention_inputs* inputs,
    const keylens_options* options, const keylens_attention_outputs* forward,
    const keylens_tensor* out_grad,
    const keylens_attention_gradients* gradients) {
  const auto body = [&]<typename T>(T /*element*/) {
    keylens::AttentionBackward(
        ToInputs<T>(inputs), ToOptions(options),
        keylens::c_api::ToOutputs<T>("forward", forward),
        ToView<const T, 4>("out_grad", Required("out_grad", out_grad)),
        keylens::c_api::ToGradients<T>(gradients));
  };
  return Guarded("keylens_attention_backward",
                 [&] { keylens::c_api::WithElement(element, body); });
}

keylens_status keylens_attention_inspect(keylens_element element,
                                         const keylens_attention_inputs* inputs,
                                         const keylens_options* options,
                                         const keylens_tensor* logsumexp,
                                         const keylens_inspection* inspection) {
  const auto body = [&]<typename T>(T /*element*/) {
    keylens::AttentionInspect(
        ToInputs<T>(inputs, keylens::c_api::Needed::kNo), ToOptions(options),
        ToView<const float, 3>("logsumexp", Required("logsumexp", logsumexp)),
        keylens::c_api::ToInspection(Required("inspection", inspection)));
  };
  return Guarded("keylens_attention_inspect",
                 [&] { keylens::c_api::WithElement(element, body); });
}

keylens_status keylens_merge_attention(keylens_element element,
                                       const keylens_attention_outputs* parts,
                                       int64_t count,
                                       const keylens_attention_outputs* merged,
                                       int32_t num_threads) {
  return Guarded("keylens_merge_attention", [&] {
    keylens::c_api::Merge(element, parts, count, merged, num_threads);
  });
}

}  // extern "C"
