// Times attention of ours and of the peers in one run, in turns, and prints tables.
// benchmarks/peers/run prepares what it needs.

import { mkdtempSync, readFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { peerList } from './peer_list.mjs';
import { PeerProcess } from './peer_process.mjs';
import { errorOf, makeProblem, writeProblem } from './problem.mjs';
import { median, tables } from './tables.mjs';

const { values: options } = parseArgs({ options: {
  build: { type: 'string', default: 'build/peers/benchmarks/peers' },
  packages: { type: 'string' },
  threads: { type: 'string', default: '2' },
  heads: { type: 'string', default: '8' },
  lens: { type: 'string', default: '256,1024,4096' },
  dims: { type: 'string', default: '40,64,128' },
  peers: { type: 'string', default: '' },    // a part of the names; default all
  rounds: { type: 'string', default: '7' },
  seconds: { type: 'string', default: '0.1' },  // of a turn, at least two runs
  json: { type: 'string' },  // results are added to those of this file
} });
const numbers = (list) => list.split(',').map(Number);

// A right output differs from the formula by float's rounding alone.
const kLargestError = 1e-4;

async function loadAll(peers, problem, directory) {
  const loaded = [];
  for (const peer of peers) {
    const out = `${directory}/out.f32`;
    try {
      await peer.process.ask('load', directory, problem.heads, problem.len, problem.dim, out);
      const bytes = readFileSync(out);
      peer.error = errorOf(problem, new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4));
      if (!(peer.error < kLargestError)) throw new Error(`its output is off by ${peer.error}`);
      loaded.push({ ...peer, milliseconds: [], peaks: [] });
    } catch (error) {
      console.error(`${peer.name} is left out of ${problem.len} x ${problem.dim}: ${error.message}`);
    }
  }
  return loaded;
}

async function timeShape(peers, { heads, len, dim }, directory) {
  const problem = makeProblem(heads, len, dim);
  writeProblem(problem, directory);
  const loaded = await loadAll(peers, problem, directory);
  for (let round = 0; round < Number(options.rounds); ++round) {
    for (const peer of loaded) {
      const times = (await peer.process.ask('time', options.seconds)).trim().split(' ').map(Number);
      peer.milliseconds.push(median(times));
      if (peer.name.startsWith('Keylens')) peer.peaks.push(Number(await peer.process.ask('peak')));
    }
  }
  const operations = 4 * heads * len * len * dim;
  return loaded.map(({ name, simd, error, milliseconds, peaks }) => ({
    name, simd, error, heads, len, dim, threads: Number(options.threads),
    milliseconds: median(milliseconds),
    gflops: operations / median(milliseconds) / 1e6,
    fma_peak_gflops: peaks.length > 0 ? Math.max(...peaks) : undefined,
  }));
}

// Those of the file with the new ones in the place of their likes.
function merged(results) {
  const kept = options.json && existsSync(options.json)
    ? JSON.parse(readFileSync(options.json)).results : [];
  const id = ({ name, heads, len, dim, threads }) => [name, heads, len, dim, threads].join('/');
  const fresh = new Set(results.map(id));
  return [...kept.filter((result) => !fresh.has(id(result))), ...results]
    .sort((a, b) => a.len - b.len || a.dim - b.dim);
}

const chosen = peerList(options).filter(({ name }) => name.includes(options.peers));
const peers = chosen.map((peer) => ({ ...peer, process: new PeerProcess(peer.command, peer.env) }));
const directory = mkdtempSync(`${tmpdir()}/keylens-peers-`);
const results = [];
try {
  for (const len of numbers(options.lens)) {
    for (const dim of numbers(options.dims)) {
      results.push(...await timeShape(peers, { heads: Number(options.heads), len, dim }, directory));
    }
  }
} finally {
  peers.forEach((peer) => peer.process.end());
  rmSync(directory, { recursive: true });
}
const all = merged(results);
if (options.json) writeFileSync(options.json, `${JSON.stringify({ results: all }, null, 1)}\n`);
console.log(tables(all));
