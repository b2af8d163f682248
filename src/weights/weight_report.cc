#include "src/weights/weight_report.h"

#include <algorithm>
#include <set>

#include "src/base/error.h"
#include "src/checkpoint/header_text.h"

namespace keylens {
namespace {

void CompareTensor(const WeightSource& source, const TensorSpec& spec,
                   WeightReport& report) {
  const std::optional<WeightView> view = source.Find(spec.name);
  if (!view) {
    if (!spec.optional) report.missing.push_back(spec.name);
  } else if (view->shape != spec.shape) {
    report.wrong.push_back({spec.name, spec.shape, view->shape});
  } else if (!HasFloats(view->type)) {
    report.not_float.push_back({spec.name, view->type});
  } else {
    report.used.push_back(spec.name);
  }
}

bool IsFinite(const WeightView& view, std::vector<float>& buffer) {
  const int64_t count = ElementCount(view);
  for (int64_t first = 0; first < count;) {
    const auto size =
        std::min(static_cast<int64_t>(buffer.size()), count - first);
    try {
      CopyAsFloat(view, first,
                  std::span(buffer).first(static_cast<std::size_t>(size)));
    } catch (const Error&) {
      return false;
    }
    first += size;
  }
  return true;
}

void Append(std::string& text, const std::string& name,
            const std::string& what) {
  text += (text.empty() ? "tensor " : "; tensor ") + QuotedName(name) + what;
}

}  // namespace

bool WeightReport::complete() const {
  return missing.empty() && unknown.empty() && wrong.empty() &&
         not_float.empty() && not_finite.empty();
}

std::string WeightReport::Problems() const {
  std::string text;
  for (const std::string& name : missing) Append(text, name, " is missing");
  for (const WrongShape& tensor : wrong) {
    Append(text, tensor.name,
           " has shape " + ShapeText(tensor.there) + ", the model's is " +
               ShapeText(tensor.wanted));
  }
  for (const WrongType& tensor : not_float) {
    Append(text, tensor.name,
           " holds " + std::string(LongNameOf(tensor.type)) +
               ", where floating-point numbers are needed");
  }
  for (const std::string& name : unknown)
    Append(text, name, " is none of the model's");
  for (const std::string& name : not_finite)
    Append(text, name, " holds NaN or infinity");
  return text;
}

WeightReport Compare(const WeightSource& source,
                     std::span<const TensorSpec> specs) {
  WeightReport report;
  report.where = source.Where("");
  std::set<std::string, std::less<>> known;
  for (const TensorSpec& spec : specs) {
    known.insert(spec.name);
    CompareTensor(source, spec, report);
  }
  for (const std::string& name : source.Names()) {
    if (!known.contains(name)) report.unknown.push_back(name);
  }
  return report;
}

void CheckValues(const WeightSource& source, WeightReport& report) {
  std::vector<float> buffer(std::size_t{1} << 16);
  for (const std::string& name : report.used) {
    const std::optional<WeightView> view = source.Find(name);
    if (view && !IsFinite(*view, buffer)) report.not_finite.push_back(name);
  }
}

void RequireWeights(const WeightSource& source,
                    std::span<const TensorSpec> specs) {
  const WeightReport report = Compare(source, specs);
  if (!report.complete()) throw Error(report.where + ": " + report.Problems());
}

}  // namespace keylens
