// The results of a comparison as tables in Markdown, one for each instruction set:
// node tables.mjs RESULTS.json

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

const row = (cells) => `| ${cells.join(' | ')} |`;
const unique = (values) => [...new Set(values)];

// How ours compares with `peers`: the quickest of them is 1.
function ratio(ours, peers) {
  return peers.length > 0 ? (ours.gflops / Math.max(...peers.map((peer) => peer.gflops))).toFixed(2) : '-';
}

function table(results, simd) {
  const group = results.filter((result) => result.simd === simd);
  const names = unique(group.map(({ name }) => name));
  const peers = names.filter((name) => !name.startsWith('Keylens'));
  const lines = [
    row(['len', 'head_dim', 'FMA peak', ...names.map((name) => name.replace(', AVX2', '')), `Keylens / ${peers.length > 1 ? 'best peer' : peers[0]}`]),
    row(Array(names.length + 4).fill('---:')),
  ];
  for (const shape of unique(group.map(({ len, dim }) => `${len} ${dim}`))) {
    const ofShape = group.filter(({ len, dim }) => `${len} ${dim}` === shape);
    const ours = ofShape.find(({ name }) => name.startsWith('Keylens'));
    if (!ours) continue;
    const peak = ours.fma_peak_gflops;
    lines.push(row([...shape.split(' '), peak.toFixed(0),
      ...names.map((name) => {
        const result = ofShape.find((candidate) => candidate.name === name);
        return result ? `${result.gflops.toFixed(0)} (${(100 * result.gflops / peak).toFixed(0)} %)` : '-';
      }),
      ratio(ours, ofShape.filter((result) => result !== ours))]));
  }
  return lines.join('\n');
}

// GFLOP/s and, in parentheses, the share of the multiply-add peak of the instruction
// set, measured beside them.
export function tables(results) {
  return unique(results.map(({ simd }) => simd))
    .map((simd) => `GFLOP/s, ${simd === 'best' ? 'the best instruction set' : simd}\n\n${table(results, simd)}\n`)
    .join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(tables(JSON.parse(readFileSync(process.argv[2])).results));
}
