// ggml's ggml_flash_attn_ext on its CPU backend beside us:
// ggml_peer THREADS f32|f16
//
// The second argument is the type of keys and values; queries, arithmetic and
// output are float.

#include <ggml-cpu.h>
#include <ggml.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <utility>

#include "benchmarks/peers/peer.h"

namespace keylens::peers {
namespace {

struct FreeContext {
  void operator()(ggml_context* context) const { ggml_free(context); }
};

struct FreeThreads {
  void operator()(ggml_threadpool* threads) const {
    ggml_threadpool_free(threads);
  }
};

class GgmlPeer final : public Peer {
 public:
  GgmlPeer(int threads, ggml_type type) : num_threads_(threads), type_(type) {
    ggml_cpu_init();
    ggml_threadpool_params parameters = ggml_threadpool_params_default(threads);
    threads_.reset(ggml_threadpool_new(&parameters));
  }

  void Load(Problem problem) override {
    problem_ = std::move(problem);
    const std::size_t bytes = problem_.query.size() * sizeof(float);
    context_.reset(ggml_init({4 * bytes + (std::size_t{1} << 20), nullptr,
                              /*no_alloc=*/false}));
    if (!context_) throw std::runtime_error("ggml_init failed");
    ggml_tensor* query = Tensor(problem_.query, GGML_TYPE_F32);
    ggml_tensor* key = Tensor(problem_.key, type_);
    ggml_tensor* value = Tensor(problem_.value, type_);
    const float scale = 1.0f / std::sqrt(static_cast<float>(problem_.dim));
    out_ = ggml_flash_attn_ext(context_.get(), query, key, value,
                               /*mask=*/nullptr, scale, /*max_bias=*/0.0f,
                               /*logit_softcap=*/0.0f);
    ggml_flash_attn_ext_set_prec(out_, GGML_PREC_F32);
    graph_ = ggml_new_graph(context_.get());
    ggml_build_forward_expand(graph_, out_);
    plan_ = ggml_graph_plan(graph_, num_threads_, threads_.get());
    work_.resize(plan_.work_size);
    plan_.work_data = work_.data();
  }

  void Run() override {
    if (ggml_graph_compute(graph_, &plan_) != GGML_STATUS_SUCCESS)
      throw std::runtime_error("ggml_graph_compute failed");
  }

  // ggml's output is [len, heads, dim].
  std::vector<float> Output() const override {
    const float* data = ggml_get_data_f32(out_);
    const auto& [heads, len, dim, query, key, value] = problem_;
    std::vector<float> out(query.size());
    for (int64_t h = 0; h < heads; ++h) {
      for (int64_t i = 0; i < len; ++i) {
        std::copy_n(data + (i * heads + h) * dim, dim,
                    out.begin() + (h * len + i) * dim);
      }
    }
    return out;
  }

 private:
  ggml_tensor* Tensor(const std::vector<float>& data, ggml_type type) {
    ggml_tensor* tensor = ggml_new_tensor_3d(context_.get(), type, problem_.dim,
                                             problem_.len, problem_.heads);
    if (type == GGML_TYPE_F16) {
      ggml_fp32_to_fp16_row(data.data(),
                            static_cast<ggml_fp16_t*>(tensor->data),
                            static_cast<int64_t>(data.size()));
    } else {
      std::copy(data.begin(), data.end(), static_cast<float*>(tensor->data));
    }
    return tensor;
  }

  int num_threads_;
  ggml_type type_;
  std::unique_ptr<ggml_threadpool, FreeThreads> threads_;
  std::unique_ptr<ggml_context, FreeContext> context_;
  Problem problem_;
  ggml_tensor* out_ = nullptr;
  ggml_cgraph* graph_ = nullptr;
  ggml_cplan plan_ = {};
  std::vector<uint8_t> work_;
};

ggml_type TypeOf(int argc, char** argv) {
  const std::string name = argc > 2 ? argv[2] : "";
  if (name == "f32") return GGML_TYPE_F32;
  if (name == "f16") return GGML_TYPE_F16;
  throw std::invalid_argument("the second argument is f32 or f16");
}

}  // namespace
}  // namespace keylens::peers

int main(int argc, char** argv) {
  try {
    keylens::peers::GgmlPeer peer(keylens::peers::ThreadsOf(argc, argv),
                                  keylens::peers::TypeOf(argc, argv));
    return keylens::peers::Serve(peer);
  } catch (const std::exception& error) {
    std::cerr << "ggml_peer: " << error.what() << '\n';
    return 2;
  }
}
