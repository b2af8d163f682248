// A process that serves the requests of peer.h, as asynchronous calls. It is stopped
// while it has nothing to answer: thread pools spin for more work, some for a tenth of
// a second, and would take the processor from whose turn it is.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export class PeerProcess {
  // `command` is a list of words, `env` what is set, or where undefined unset, on top
  // of our own environment.
  constructor(command, env = {}) {
    const merged = { ...process.env, ...env };
    for (const [name, value] of Object.entries(merged)) if (value === undefined) delete merged[name];
    this.child = spawn(command[0], command.slice(1),
      { env: merged, stdio: ['pipe', 'pipe', 'inherit'] });
    this.waiting = [];
    this.child.kill('SIGSTOP');
    createInterface({ input: this.child.stdout }).on('line', (line) => this.waiting.shift()?.(line));
    const ended = () => this.waiting.splice(0).forEach((answer) => answer('error the process ended'));
    this.child.on('error', ended).on('exit', ended);
    this.child.stdin.on('error', ended);
  }

  // The answer to a request; throws where it is an error.
  async ask(...words) {
    const answer = new Promise((resolve) => this.waiting.push(resolve));
    if (this.child.exitCode !== null) throw new Error('the process ended');
    this.child.kill('SIGCONT');
    this.child.stdin.write(`${words.join(' ')}\n`);
    const line = await answer;
    this.child.kill('SIGSTOP');
    if (line.startsWith('ok ')) return line.slice(3);
    throw new Error(line.replace(/^error /, ''));
  }

  end() {
    this.child.kill('SIGCONT');
    this.child.stdin.end();
  }
}
