// ONNX Runtime beside us: node onnxruntime_peer.mjs THREADS [MultiHeadAttention|Attention]
//
// MultiHeadAttention is ONNX Runtime's own operator (com.microsoft), on queries,
// keys and values [1, len, heads * dim]; without masks, biases and caches it runs
// its flash attention on CPUs. Attention is that of ONNX since operator set 23, on
// [1, heads, len, dim]. Requests and answers are those of peer.h. The package is
// found in the folder that KEYLENS_PEER_PACKAGES names.

import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { oneNodeModel } from './onnx_model.mjs';

const require = createRequire(`${process.env.KEYLENS_PEER_PACKAGES}/package.json`);
const { Tensor } = require('onnxruntime-node');
// The native session: its run is one call, while the public one also waits for the
// event loop.
const { binding, initOrt } = require('onnxruntime-node/dist/binding.js');
initOrt();

const threads = Number(process.argv[2]);
const operator = process.argv[3] ?? 'MultiHeadAttention';
if (!(threads >= 1)) throw new Error('the first argument is a number of threads');

const readFloats = (path) => {
  const bytes = readFileSync(path);
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4).slice();
};

// [outer, inner, dim] to [inner, outer, dim].
const swapOuter = (data, outer, inner, dim) => {
  const out = new Float32Array(data.length);
  for (let i = 0; i < outer; ++i) {
    for (let j = 0; j < inner; ++j) {
      const from = (i * inner + j) * dim;
      out.set(data.subarray(from, from + dim), (j * outer + i) * dim);
    }
  }
  return out;
};

const operators = {
  MultiHeadAttention: ({ heads, len, dim }) => ({
    node: { domain: 'com.microsoft', opset: 1, attributes: { num_heads: heads } },
    shape: [1, len, heads * dim],
    fromHeads: (data) => swapOuter(data, heads, len, dim),
    toHeads: (data) => swapOuter(data, len, heads, dim),
  }),
  Attention: ({ heads, len, dim }) => ({
    node: { domain: '', opset: 23, attributes: {} },
    shape: [1, heads, len, dim],
    fromHeads: (data) => data,
    toHeads: (data) => data,
  }),
};

function openSession(node, shape) {
  const inputs = ['query', 'key', 'value'].map((name) => ({ name, shape }));
  const model = oneNodeModel(
    { operator, ...node, inputs, outputs: [{ name: 'out', shape }] });
  const session = new binding.InferenceSession();
  session.loadModel(model.buffer, model.byteOffset, model.length, {
    intraOpNumThreads: threads, interOpNumThreads: 1,
    executionMode: 'sequential', graphOptimizationLevel: 'all',
  });
  return session;
}

let run = () => { throw new Error('nothing is loaded'); };

function load([directory, ...rest]) {
  const [heads, len, dim] = rest.slice(0, 3).map(Number);
  const { node, shape, fromHeads, toHeads } = operators[operator]({ heads, len, dim });
  const session = openSession(node, shape);
  const tensor = (data) => new Tensor('float32', data, shape);
  const feeds = Object.fromEntries(['query', 'key', 'value'].map((name) =>
    [name, tensor(fromHeads(readFloats(`${directory}/${name}.f32`)))]));
  const out = new Float32Array(heads * len * dim);
  const fetches = { out: tensor(out) };  // written in place
  run = () => session.run(feeds, fetches, {});
  run();
  writeFileSync(rest[3], toHeads(out));
  return 'loaded';
}

function time([seconds]) {
  const milliseconds = [];
  const begin = performance.now();
  // The first wakes threads and caches that other peers had.
  for (let i = 0; i < 2 || performance.now() - begin < 1e3 * seconds; ++i) {
    const start = performance.now();
    run();
    if (i > 0) milliseconds.push(performance.now() - start);
  }
  return milliseconds.join(' ');
}

const requests = { load, time };
for await (const line of createInterface({ input: process.stdin })) {
  const [request, ...words] = line.split(' ');
  try {
    if (!(request in requests)) throw new Error(`no answer to: ${line}`);
    console.log(`ok ${requests[request](words)}`);
  } catch (error) {
    console.log(`error ${String(error.message).split('\n')[0]}`);
  }
}
