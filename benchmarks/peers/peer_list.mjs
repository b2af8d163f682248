// Who is compared: each with its command, its environment and the instruction set
// that it is held against. A peer runs at its best: versions, options and libraries
// beneath are those that were the quickest here (README.md).

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));

// `build` has the peers' programs, `packages` what benchmarks/peers/run fetched.
export function peerList({ build, packages, threads }) {
  const program = (name, ...words) => [`${build}/${name}`, String(threads), ...words];
  const openblas = `${packages}/openblas/usr/lib/x86_64-linux-gnu/openblas-openmp`;
  // A machine may name an old kernel for OpenBLAS; at its best it chooses itself.
  const composed = { LD_LIBRARY_PATH: openblas, OPENBLAS_NUM_THREADS: String(threads),
    OPENBLAS_L2_SIZE: undefined };
  // Memory of the size of the weights is kept instead of given back after each call.
  const keep = { MALLOC_MMAP_THRESHOLD_: '4294967296', MALLOC_TRIM_THRESHOLD_: '4294967296' };
  const onnxRuntime = (simd, suffix, env) => ['MultiHeadAttention', 'Attention'].map((operator) => ({
    name: `ONNX Runtime 1.30 ${operator}${suffix}`, simd,
    env: { KEYLENS_PEER_PACKAGES: packages, ...env },
    command: ['node', `${here}onnxruntime_peer.mjs`, String(threads), operator] }));
  const peers = [
    { name: 'Keylens', simd: 'best', command: program('keylens_peer') },
    ...onnxRuntime('best', '', {}),
    { name: 'PyTorch 2.15 fused', simd: 'best', command: program('torch2_peer', 'fused'), env: keep },
    { name: 'PyTorch 1.13 composed', simd: 'best', command: program('torch1_peer', 'composed'),
      env: { ...keep, ...composed, OPENBLAS_CORETYPE: undefined } },
    { name: 'Keylens, AVX2', simd: 'AVX2', command: program('keylens_peer', 'AVX2') },
    ...onnxRuntime('AVX2', ', AVX2', { LD_LIBRARY_PATH: `${packages}/onnxruntime-avx2` }),
    { name: 'PyTorch 2.15 fused, AVX2', simd: 'AVX2', command: program('torch2_peer', 'fused'),
      env: { ...keep, ATEN_CPU_CAPABILITY: 'avx2', ONEDNN_MAX_CPU_ISA: 'AVX2', MKL_ENABLE_INSTRUCTIONS: 'AVX2' } },
    { name: 'PyTorch 1.13 composed, AVX2', simd: 'AVX2', command: program('torch1_peer', 'composed'),
      env: { ...keep, ...composed, OPENBLAS_CORETYPE: 'Haswell', ATEN_CPU_CAPABILITY: 'avx2' } },
    { name: 'ggml 0.20.2', simd: 'AVX2', command: program('ggml_peer', 'f32') },
  ];
  const needs = ({ command, env }) => command[0] === 'node'
    ? [`${packages}/node_modules/onnxruntime-node`, ...(env.LD_LIBRARY_PATH ? [env.LD_LIBRARY_PATH] : [])]
    : [command[0]];
  return peers.filter((peer) => {
    const missing = needs(peer).filter((path) => !existsSync(path));
    if (missing.length > 0) console.error(`${peer.name} is left out: there is no ${missing[0]}`);
    return missing.length === 0;
  });
}
