import type { Terminal } from './cli.ts';

/** Waits for pipes, unlike `process.stdout.write`. */
export const terminal: Terminal = {
  out: (text) => console.log(text),
  err: (text) => console.error(text),
};
