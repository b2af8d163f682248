// What docs/performance.md shows of the engine: each line is an invocation of
// `keylens bench attention`, after its name in the table. Those with `simd` are run
// again with AVX2.

const square = (len, dim) => `--query-len ${len} --kv-len ${len} --head-dim ${dim}`;
const lens = [256, 1024, 4096];
const dims = [40, 64, 128];
const shapes = lens.flatMap((len) => dims.map((dim) => ({ len, dim })));

const forward = shapes.map(({ len, dim }) => ({
  group: 'forward', name: `${len} x ${len}, head_dim ${dim}`, arguments: square(len, dim), simd: true }));
const backward = shapes.map(({ len, dim }) => ({
  group: 'backward', name: `${len} x ${len}, head_dim ${dim}`,
  arguments: `--pass backward ${square(len, dim)}`, simd: true }));
const others = [
  ['one head, 1024 x 1024, head_dim 64', `--heads 1 ${square(1024, 64)}`],
  ['causal, 4096 x 4096, head_dim 64', `--mask causal ${square(4096, 64)}`],
  ['window of 256, 16,384 x 16,384, head_dim 64', `--mask window:256 ${square(16384, 64)}`],
  ['documents of 512, 16,384 x 16,384, head_dim 64', `--mask documents:512 ${square(16384, 64)}`],
  ['channels first, 1024 x 1024, head_dim 64', `--channels-first ${square(1024, 64)}`],
  ['bfloat16, 1024 x 1024, head_dim 64', `--dtype bfloat16 ${square(1024, 64)}`],
  ['32 x 4 heads, 256 x 256, head_dim 32', `--batch 32 --heads 4 ${square(256, 32)}`],
  ['64 x 4 heads, 256 x 16, head_dim 32',
    '--batch 64 --heads 4 --query-len 256 --kv-len 16 --head-dim 32'],
].map(([name, words]) => ({ group: 'shapes', name, arguments: words, simd: true }));
const inspect = [
  ...[[1024, 64], [1024, 128], [4096, 64]].map(([len, dim]) =>
    [`${len} x ${len}, head_dim ${dim}`, `--pass inspect --pooled-groups 32 ${square(len, dim)}`]),
  ['weights of 64 rows, 1024 x 1024, head_dim 64', `--pass weights ${square(1024, 64)}`],
].map(([name, words]) => ({ group: 'inspect', name, arguments: words, simd: true }));
const decode = ['float32', 'bfloat16', 'float16', 'int8'].map((dtype) => ({
  group: 'decode', name: dtype,
  arguments: `--pass decode --kv-len 8192 --head-dim 128 --dtype ${dtype}` }));

export const commands = [...forward, ...backward, ...others, ...inspect, ...decode];

// The words after `keylens` of one of them.
export const wordsOf = (command, simd) =>
  `bench attention ${command.arguments}${simd ? ` --simd ${simd}` : ''} --json`;
