// Puts what was measured into docs/performance.md, between the marks
// `<!-- NAME -->` and `<!-- end -->`, and draws docs/images/roofline.svg:
//   node page.mjs
// The figures are those of engine.json (measure.mjs) and peers.json
// (benchmarks/peers/run --json) in this folder.

import { readFileSync, writeFileSync } from 'node:fs';
import { median, tables as peerTables } from '../peers/tables.mjs';
import { commands, wordsOf } from './commands.mjs';
import { roofline } from './roofline.mjs';

const at = (path) => new URL(path, import.meta.url);
const engine = JSON.parse(readFileSync(at('engine.json')));
const peers = JSON.parse(readFileSync(at('peers.json'))).results;
const page = at('../../docs/performance.md');

const row = (cells) => `| ${cells.join(' | ')} |`;
const percent = (share) => `${(100 * share).toFixed(0)} %`;

function result(command, simd) {
  const words = wordsOf(command, simd);
  if (!(words in engine)) throw new Error(`engine.json lacks: ${words}`);
  return engine[words];
}

const ofGroup = (group) => commands.filter((command) => command.group === group);
const table = (head, rows) =>
  [row(head), row(head.map((_, i) => (i === 0 || i === head.length - 1 ? '---' : '---:'))),
    ...rows.map(row)].join('\n');

function speedTable(group) {
  const cells = (one) => [one.milliseconds.toFixed(2), one.gflops.toFixed(0), percent(one.share_of_peak)];
  return table(
    ['', 'ms', 'GFLOP/s', 'of the peak', 'AVX2: ms', 'GFLOP/s', 'of the peak', '`keylens bench attention ...`'],
    ofGroup(group).map((command) => [command.name, ...cells(result(command)),
      ...cells(result(command, 'AVX2')), `\`${command.arguments}\``]));
}

const inspectTable = () => table(
  ['', 'ms', 'times forward', 'AVX2: ms', 'times forward', '`keylens bench attention ...`'],
  ofGroup('inspect').map((command) => [command.name,
    ...[undefined, 'AVX2'].flatMap((simd) => {
      const one = result(command, simd);
      return [one.milliseconds.toFixed(2), one.times_forward.toFixed(2)];
    }), `\`${command.arguments}\``]));

const decodeTable = () => {
  const float = result(ofGroup('decode')[0]);
  return table(
    ['cache', 'ms', 'GB/s', 'of the read bandwidth', 'speed, float = 1', '`keylens bench attention ...`'],
    ofGroup('decode').map((command) => {
      const one = result(command);
      return [command.name, one.milliseconds.toFixed(3), one.gb_per_second.toFixed(1),
        percent(one.share_of_bandwidth), (float.milliseconds / one.milliseconds).toFixed(2),
        `\`${command.arguments}\``];
    }));
};

// How two commands' results compare, in words: by the peaks of their own runs, since the
// clock may have changed in between.
function ratios() {
  const find = (start) => commands.find(({ name }) => name.startsWith(start));
  const full = find('4096 x 4096, head_dim 64');
  const square = find('1024 x 1024, head_dim 64');
  const both = (of) => `${of(undefined).toFixed(2)}, with AVX2 ${of('AVX2').toFixed(2)}`;
  const cost = ({ milliseconds, fma_peak_gflops: peak }) => milliseconds * peak;
  const time = (one, other) => both((simd) => cost(result(one, simd)) / cost(result(other, simd)));
  // Operations for the live pairs alone: what a pair costs, against one of all pairs.
  const pair = (one) => both((simd) =>
    result(full, simd).share_of_peak / result(one, simd).share_of_peak);
  return [
    `* causal takes this part of the time of all pairs: ${time(find('causal'), full)}`,
    `* a pair of a query and a key in a window of 256 costs, where one of all pairs at 4096 is 1: ${pair(find('window'))}`,
    `* and one in documents of 512: ${pair(find('documents'))}`,
    `* channels first takes, where head_dim innermost takes 1: ${time(find('channels'), square)}`,
    `* bfloat16 takes, where float takes 1: ${time(find('bfloat16'), square)}`,
  ].join('\n');
}

const number = (command, option, otherwise) =>
  Number(command.arguments.match(new RegExp(`--${option} (\\d+)`))?.[1] ?? otherwise);

// Operations for each byte of square attention in float: forward reads three tensors
// and writes one, backward reads five and writes three.
const density = {
  forward: (command) => 4 * number(command, 'kv-len') / (4 * 4),
  backward: (command) => 10 * number(command, 'kv-len') / (8 * 4),
};
const points = (group, simd) => ofGroup(group).map((command) => ({
  operationsPerByte: density[group](command),
  gflops: result(command, simd).gflops,
  title: `${group}, ${command.name}` }));

// Decoding: 4 operations for a number of the key and its fellow of the value.
const decodePoints = () => ofGroup('decode').map((command) => {
  const { milliseconds, gb_per_second: speed } = result(command);
  const operations = 4 * 8 * number(command, 'kv-len') * number(command, 'head-dim');
  const gflops = operations / milliseconds / 1e6;
  return { operationsPerByte: gflops / speed, gflops, title: `decode, ${command.name}` };
});

// Highway calls AVX-512 AVX3, and its later parts AVX3_DL and so on.
const nameOf = (instructionSet) => instructionSet.replace(/^AVX3.*/, 'AVX-512');

function drawRoofline() {
  const bandwidth = median(ofGroup('decode').map((command) => result(command).bandwidth_gb_per_second));
  const roofOf = (simd, colour) => {
    const shown = ofGroup('forward').map((command) => result(command, simd));
    return { name: nameOf(shown[0].instruction_set), bandwidth, colour,
      peak: Math.max(...shown.map((one) => one.fma_peak_gflops)) };
  };
  const roofs = [roofOf(undefined, '#1f4e9c'), roofOf('AVX2', '#b3541e')];
  const [best, avx2] = roofs;
  writeFileSync(at('../../docs/images/roofline.svg'), roofline({
    title: 'Attention under the roofs of the machine', roofs,
    series: [
      { name: `forward, ${best.name}`, shape: 'circle', colour: best.colour, points: points('forward') },
      { name: `backward, ${best.name}`, shape: 'square', colour: best.colour, points: points('backward') },
      { name: 'forward, AVX2', shape: 'circle', colour: avx2.colour, points: points('forward', 'AVX2') },
      { name: 'backward, AVX2', shape: 'square', colour: avx2.colour, points: points('backward', 'AVX2') },
      { name: 'decode', shape: 'diamond', colour: '#2f7d4f', points: decodePoints() },
    ],
    notes: ['256', '1024', '4096'].map((len) => ({
      operationsPerByte: Number(len) / 4, text: `${len} keys` })),
  }));
}

const parts = {
  peers: () => peerTables(peers).trim(),
  forward: () => speedTable('forward'),
  backward: () => speedTable('backward'),
  shapes: () => `${speedTable('shapes')}\n\n${ratios()}`,
  inspect: inspectTable,
  decode: decodeTable,
};
let text = readFileSync(page, 'utf8');
for (const [name, part] of Object.entries(parts)) {
  const mark = new RegExp(`(<!-- ${name} -->\\n)[^]*?(<!-- end -->)`);
  if (!mark.test(text)) throw new Error(`docs/performance.md lacks the mark <!-- ${name} -->`);
  text = text.replace(mark, (_, begin, end) => `${begin}\n${part()}\n\n${end}`);
}
writeFileSync(page, text);
drawRoofline();
