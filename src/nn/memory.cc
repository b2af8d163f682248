#include <keylens/nn/memory.h>
#include <torch/torch.h>

#include <limits>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace keylens::nn {

void KeepFreedMemory() {
#if defined(__GLIBC__)
  // Blocks up to 1 GiB come from the heap, which only shrinks when 2 GiB at its
  // top are free and grows by 64 MiB.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  mallopt(M_TOP_PAD, 64 << 20);
#endif
}

void ToChannelsLast(torch::nn::Module& root) {
  torch::NoGradGuard no_grad;
  for (torch::Tensor& parameter : root.parameters()) {
    if (parameter.dim() == 4)
      parameter.set_data(parameter.contiguous(at::MemoryFormat::ChannelsLast));
  }
}

}  // namespace keylens::nn
