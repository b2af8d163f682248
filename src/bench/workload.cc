#include "src/bench/workload.h"

#include <keylens/attention.h>

#include <algorithm>
#include <random>
#include <stdexcept>
#include <vector>

namespace keylens {
namespace {

constexpr int64_t kTop = 8;

// Shorter than most arrays, whose numbers repeat: drawing each anew would take
// longer than the benchmark.
std::vector<float> Normal(unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(65521);
  std::generate(values.begin(), values.end(), [&] { return normal(random); });
  return values;
}

template <typename T>
std::vector<T> Normal(int64_t size, unsigned seed) {
  const std::vector<float> some = Normal(seed);
  std::vector<T> values(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<T>(some[i % some.size()]);
  return values;
}

std::vector<int32_t> GroupIds(int64_t len, int64_t groups) {
  std::vector<int32_t> ids(static_cast<std::size_t>(len));
  for (int64_t i = 0; i < len; ++i) {
    ids[static_cast<std::size_t>(i)] = static_cast<int32_t>(i * groups / len);
  }
  return ids;
}

std::vector<int32_t> Documents(int64_t len, int64_t document_len) {
  std::vector<int32_t> ids(static_cast<std::size_t>(len));
  for (int64_t i = 0; i < len; ++i)
    ids[static_cast<std::size_t>(i)] = static_cast<int32_t>(i / document_len);
  return ids;
}

// The number behind the colon.
int64_t Parameter(const std::string& mask) {
  const std::size_t colon = mask.find(':');
  std::size_t read = 0;
  int64_t number = 0;
  try {
    number = std::stoll(mask.substr(colon + 1), &read);
  } catch (const std::exception&) {
    read = 0;
  }
  if (colon == std::string::npos || colon + 1 + read != mask.size() ||
      number < 1) {
    throw std::invalid_argument("mask " + mask +
                                ": a number is to follow, as "
                                "in window:256");
  }
  return number;
}

std::unique_ptr<Mask> MakeMask(const WorkloadShape& shape) {
  const std::string kind = shape.mask.substr(0, shape.mask.find(':'));
  if (shape.mask == "none") return nullptr;
  if (shape.mask == "causal") return CausalMask(CausalAlignment::kBottomRight);
  if (shape.mask == "padding") {
    return KeyPaddingMask(
        std::vector<int64_t>(static_cast<std::size_t>(shape.batch),
                             shape.kv_len - shape.kv_len / 4));
  }
  if (kind == "window") {
    return SlidingWindowMask(Parameter(shape.mask), 0,
                             CausalAlignment::kBottomRight);
  }
  if (kind == "prefix") return PrefixMask(Parameter(shape.mask));
  if (kind == "documents") {
    const int64_t len = Parameter(shape.mask);
    return DocumentMask(Documents(shape.query_len, len),
                        Documents(shape.kv_len, len));
  }
  throw std::invalid_argument(
      "mask " + shape.mask +
      " is none of none, causal, window:N, prefix:N, documents:N, padding");
}

// Pairs of a query and a key that it sees, of all heads.
double LivePairs(const WorkloadShape& shape, const Mask* mask) {
  const double heads = static_cast<double>(shape.batch * shape.heads);
  if (mask == nullptr)
    return heads * static_cast<double>(shape.query_len * shape.kv_len);
  std::vector<float> row(static_cast<std::size_t>(shape.kv_len));
  int64_t live = 0;
  for (int64_t i = 0; i < shape.query_len; ++i) {
    std::fill(row.begin(), row.end(), 0.0f);
    mask->Apply({row.data(),
                 shape.kv_len,
                 {0, 0, i, 1, 0, shape.kv_len, shape.query_len, shape.kv_len}});
    live += std::count(row.begin(), row.end(), 0.0f);
  }
  return heads * static_cast<double>(live);
}

WorkloadShape WithDefaults(WorkloadShape shape) {
  if (shape.kv_heads == 0) shape.kv_heads = shape.heads;
  if (shape.value_dim == 0) shape.value_dim = shape.head_dim;
  return shape;
}

template <typename T>
class TypedWorkload final : public AttentionWorkload {
 public:
  TypedWorkload(const WorkloadShape& given, int64_t groups)
      : shape_(WithDefaults(given)),
        groups_(groups),
        mask_(MakeMask(shape_)),
        live_pairs_(LivePairs(shape_, mask_.get())),
        query_(Normal<T>(Rows() * shape_.head_dim, 1)),
        key_(Normal<T>(Keys() * shape_.head_dim, 2)),
        value_(Normal<T>(Keys() * shape_.value_dim, 3)),
        out_grad_(Normal<T>(Rows() * shape_.value_dim, 4)),
        out_(out_grad_.size()),
        query_grad_(query_.size()),
        key_grad_(key_.size()),
        value_grad_(value_.size()),
        logsumexp_(static_cast<std::size_t>(Rows())),
        entropy_(logsumexp_.size()),
        key_mass_(static_cast<std::size_t>(shape_.batch * shape_.heads *
                                           shape_.kv_len)),
        top_keys_(logsumexp_.size() * kTop),
        top_weights_(logsumexp_.size() * kTop),
        query_group_(GroupIds(shape_.query_len, groups)),
        key_group_(GroupIds(shape_.kv_len, groups)),
        pooled_(static_cast<std::size_t>(shape_.batch * shape_.heads * groups *
                                         groups)) {
    options_.mask = mask_.get();
    options_.num_threads = shape_.num_threads;
  }

  void Forward() override { AttentionForward(Inputs(), options_, Outputs()); }

  void Backward() override {
    AttentionBackward<T>(Inputs(), options_, Outputs(),
                         OfQuery(out_grad_, shape_.value_dim),
                         {OfQuery(query_grad_, shape_.head_dim),
                          OfKey(key_grad_, shape_.head_dim),
                          OfKey(value_grad_, shape_.value_dim)});
  }

  void ForwardAndInspect() override {
    const Inspection inspection = Statistics();
    AttentionForward(Inputs(), options_, Outputs(), &inspection);
  }

  void InspectAlone() override {
    AttentionInspect(Inputs(), options_,
                     TensorView<const float, 3>(Outputs().logsumexp),
                     Statistics());
  }

  void ForwardWithWeights() override {
    const int64_t rows = std::min<int64_t>(64, shape_.query_len);
    weights_.resize(static_cast<std::size_t>(shape_.batch * shape_.heads *
                                             rows * shape_.kv_len));
    Inspection inspection;
    inspection.query_rows = {0, rows};
    inspection.weights = Contiguous(
        weights_.data(), {shape_.batch, shape_.heads, rows, shape_.kv_len});
    AttentionForward(Inputs(), options_, Outputs(), &inspection);
  }

  double ForwardOperations() const override {
    return 2 * live_pairs_ *
           static_cast<double>(shape_.head_dim + shape_.value_dim);
  }
  double BackwardOperations() const override {
    return 2 * live_pairs_ *
           static_cast<double>(3 * shape_.head_dim + 2 * shape_.value_dim);
  }

 private:
  int64_t Rows() const {
    return shape_.batch * shape_.heads * shape_.query_len;
  }
  int64_t Keys() const {
    return shape_.batch * shape_.kv_heads * shape_.kv_len;
  }

  TensorView<T, 4> View(std::vector<T>& data, int64_t heads, int64_t len,
                        int64_t dim) const {
    auto view = Contiguous(data.data(), {shape_.batch, heads, len, dim});
    if (shape_.channels_first)
      view.strides = {heads * len * dim, len * dim, 1, len};
    return view;
  }
  TensorView<T, 4> OfQuery(std::vector<T>& data, int64_t dim) const {
    return View(data, shape_.heads, shape_.query_len, dim);
  }
  TensorView<T, 4> OfKey(std::vector<T>& data, int64_t dim) const {
    return View(data, shape_.kv_heads, shape_.kv_len, dim);
  }
  AttentionInputs<T> Inputs() {
    return {OfQuery(query_, shape_.head_dim), OfKey(key_, shape_.head_dim),
            OfKey(value_, shape_.value_dim)};
  }
  AttentionOutputs<T> Outputs() {
    return {OfQuery(out_, shape_.value_dim),
            Contiguous(logsumexp_.data(),
                       {shape_.batch, shape_.heads, shape_.query_len})};
  }

  Inspection Statistics() {
    const auto& [batch, heads] = std::pair(shape_.batch, shape_.heads);
    Inspection inspection;
    inspection.entropy =
        Contiguous(entropy_.data(), {batch, heads, shape_.query_len});
    inspection.key_mass =
        Contiguous(key_mass_.data(), {batch, heads, shape_.kv_len});
    inspection.top_keys =
        Contiguous(top_keys_.data(), {batch, heads, shape_.query_len, kTop});
    inspection.top_weights =
        Contiguous(top_weights_.data(), {batch, heads, shape_.query_len, kTop});
    inspection.query_group = query_group_;
    inspection.key_group = key_group_;
    inspection.pooled =
        Contiguous(pooled_.data(), {batch, heads, groups_, groups_});
    return inspection;
  }

  WorkloadShape shape_;
  int64_t groups_;
  std::unique_ptr<Mask> mask_;
  double live_pairs_;
  std::vector<T> query_, key_, value_, out_grad_;
  std::vector<T> out_, query_grad_, key_grad_, value_grad_;
  std::vector<float> logsumexp_, entropy_, key_mass_;
  std::vector<int64_t> top_keys_;
  std::vector<float> top_weights_;
  std::vector<int32_t> query_group_, key_group_;
  std::vector<float> pooled_, weights_;
  AttentionOptions options_;
};

}  // namespace

template <typename T>
std::unique_ptr<AttentionWorkload> MakeWorkload(const WorkloadShape& shape,
                                                int64_t pooled_groups) {
  return std::make_unique<TypedWorkload<T>>(shape, pooled_groups);
}

template std::unique_ptr<AttentionWorkload> MakeWorkload<float>(
    const WorkloadShape&, int64_t);
template std::unique_ptr<AttentionWorkload> MakeWorkload<BFloat16>(
    const WorkloadShape&, int64_t);
template std::unique_ptr<AttentionWorkload> MakeWorkload<Float16>(
    const WorkloadShape&, int64_t);

struct DecodeWorkload::State {
  State(const WorkloadShape& given, CacheElement element)
      : shape(WithDefaults(given)),
        cache({shape.kv_heads, shape.head_dim, shape.value_dim, element, 256}),
        query(Normal<float>(shape.batch * shape.heads * shape.head_dim, 1)),
        out(static_cast<std::size_t>(shape.batch * shape.heads *
                                     shape.value_dim)) {
    const int64_t keys = shape.kv_heads * shape.kv_len;
    const auto key = Normal<float>(keys * shape.head_dim, 2);
    const auto value = Normal<float>(keys * shape.value_dim, 3);
    constexpr int64_t kEnough = int64_t{256} << 20;
    do {
      for (int64_t b = 0; b < shape.batch; ++b) {
        sequences.push_back(cache.Add());
        cache.Append<float>(
            sequences.back(),
            Contiguous(key.data(),
                       {shape.kv_heads, shape.kv_len, shape.head_dim}),
            Contiguous(value.data(),
                       {shape.kv_heads, shape.kv_len, shape.value_dim}));
      }
    } while (cache.MemoryBytes() < kEnough);
  }

  WorkloadShape shape;
  KeyValueCache cache;
  std::vector<int64_t> sequences;  // `batch` of them for each call
  std::size_t next = 0;
  std::vector<float> query, out;
};

DecodeWorkload::DecodeWorkload(const WorkloadShape& shape, CacheElement element)
    : state_(std::make_unique<State>(shape, element)) {}
DecodeWorkload::~DecodeWorkload() = default;

void DecodeWorkload::Decode() {
  const WorkloadShape& shape = state_->shape;
  const auto batch = static_cast<std::size_t>(shape.batch);
  const auto sequences =
      std::span<const int64_t>(state_->sequences).subspan(state_->next, batch);
  state_->next = (state_->next + batch) % state_->sequences.size();
  AttentionOptions options;
  options.num_threads = shape.num_threads;
  AttentionDecode<float>(
      Contiguous<const float>(state_->query.data(),
                              {shape.batch, shape.heads, 1, shape.head_dim}),
      state_->cache, sequences, options,
      {Contiguous(state_->out.data(),
                  {shape.batch, shape.heads, 1, shape.value_dim}),
       {}});
}

double DecodeWorkload::Bytes() const {
  return static_cast<double>(state_->cache.MemoryBytes()) *
         static_cast<double>(state_->shape.batch) /
         static_cast<double>(state_->sequences.size());
}

}  // namespace keylens
