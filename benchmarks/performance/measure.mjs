// Runs the commands that docs/performance.md shows and keeps what they print:
//   node measure.mjs --keylens PROGRAM --json FILE [--only TEXT] [--through COMMAND]
// --only takes those whose words contain TEXT; --through runs each by another command
// (one that keeps other work away while it runs, say). Results replace their likes in
// the file.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { commands, wordsOf } from './commands.mjs';

const { values: options } = parseArgs({ options: {
  keylens: { type: 'string', default: 'build/release/app/cli/keylens' },
  json: { type: 'string', default: 'benchmarks/performance/engine.json' },
  only: { type: 'string', default: '' },
  through: { type: 'string', default: '' },
} });

const invocations = commands
  .flatMap((command) => [wordsOf(command), ...(command.simd ? [wordsOf(command, 'AVX2')] : [])]);
const kept = existsSync(options.json) ? JSON.parse(readFileSync(options.json)) : {};
const results = Object.fromEntries(Object.entries(kept).filter(([words]) => invocations.includes(words)));
for (const words of invocations.filter((words) => words.includes(options.only))) {
  const [program, ...rest] =
    [...options.through.split(' ').filter(Boolean), options.keylens, ...words.split(' ')];
  results[words] = JSON.parse(execFileSync(program, rest));
  writeFileSync(options.json, `${JSON.stringify(results, null, 1)}\n`);
  const { milliseconds, share_of_peak: share } = results[words];
  console.error(`${words}: ${milliseconds.toFixed(2)} ms${share ? `, ${share.toFixed(3)} of the peak` : ''}`);
}
