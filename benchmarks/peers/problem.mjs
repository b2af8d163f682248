// The inputs of one comparison, and what attention gives for some of their rows by
// its formula, in double.

import { writeFileSync } from 'node:fs';

// Marsaglia's xorshift with 32 bits: the same inputs in every run.
function* uniform(seed) {
  let state = seed;
  for (;;) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    yield ((state >>> 0) + 0.5) / 2 ** 32;
  }
}

// Normally distributed numbers (Box and Muller). Drawing each anew would take longer
// than the comparison, so they repeat; the prime count keeps rows apart.
function normal(count, seed) {
  const random = uniform(seed);
  const drawn = Float32Array.from({ length: 65521 }, () =>
    Math.sqrt(-2 * Math.log(random.next().value)) * Math.cos(2 * Math.PI * random.next().value));
  const values = new Float32Array(count);
  for (let i = 0; i < count; i += drawn.length) {
    values.set(drawn.subarray(0, Math.min(drawn.length, count - i)), i);
  }
  return values;
}

// Queries, keys and values, [heads, len, dim] each, and their shape.
export function makeProblem(heads, len, dim) {
  const count = heads * len * dim;
  return { heads, len, dim,
    query: normal(count, 1), key: normal(count, 2), value: normal(count, 3) };
}

export function writeProblem(problem, directory) {
  for (const name of ['query', 'key', 'value']) {
    writeFileSync(`${directory}/${name}.f32`, problem[name]);
  }
}

// The output of one query: softmax(q . k / sqrt(dim)) v.
function outputRow({ len, dim, query, key, value }, head, row) {
  const vector = (data, i) => data.subarray((head * len + i) * dim, (head * len + i + 1) * dim);
  const q = vector(query, row);
  const scores = Float64Array.from({ length: len }, (_, j) => {
    const k = vector(key, j);
    let sum = 0;
    for (let d = 0; d < dim; ++d) sum += q[d] * k[d];
    return sum / Math.sqrt(dim);
  });
  const max = scores.reduce((a, b) => Math.max(a, b));
  const out = new Float64Array(dim);
  let total = 0;
  for (let j = 0; j < len; ++j) {
    const weight = Math.exp(scores[j] - max);
    const v = vector(value, j);
    total += weight;
    for (let d = 0; d < dim; ++d) out[d] += weight * v[d];
  }
  return out.map((sum) => sum / total);
}

// The largest difference of `out`, [heads, len, dim], from the formula, over a first,
// a middle and a last row of each head.
export function errorOf(problem, out) {
  const { heads, len, dim } = problem;
  if (out.length !== heads * len * dim) throw new Error(`an output of ${out.length} numbers`);
  problem.expected ??= Array.from({ length: heads }, (_, head) =>
    [0, Math.floor(len / 2) + head, len - 1].map((row) => ({
      begin: (head * len + row) * dim, row: outputRow(problem, head, row) }))).flat();
  let error = 0;
  for (const { begin, row } of problem.expected) {
    for (let d = 0; d < dim; ++d) {
      const difference = Math.abs(out[begin + d] - row[d]);
      error = difference <= error ? error : difference;  // a NaN stays
    }
  }
  return error;
}
