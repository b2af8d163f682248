#ifndef KEYLENS_NN_MEMORY_H_
#define KEYLENS_NN_MEMORY_H_

namespace torch::nn {
class Module;
}

namespace keylens::nn {

// Tells the C library's allocator to keep what is freed instead of giving it
// back to the system. Tensors on the CPU come and go by the megabyte; without
// this every one of them is paged in again, which takes up to half of the time
// of a training step. The process keeps its peak of memory. Call it first thing
// in main. Does nothing where the C library is not glibc.
void KeepFreedMemory();

// Lays out every 4-d parameter below `root` (the weights of convolutions) as
// channels_last, in place, so that channels_last maps meet weights that oneDNN
// takes without a reorder. Values, names and shapes stay.
void ToChannelsLast(torch::nn::Module& root);

}  // namespace keylens::nn

#endif  // KEYLENS_NN_MEMORY_H_
