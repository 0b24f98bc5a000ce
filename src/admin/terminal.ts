import type { Terminal } from './cli.ts';

/** `console.log` waits for pipes; pending `process.stdout.write` data would be lost at exit. */
export const terminal: Terminal = {
  out: (text) => console.log(text),
  err: (text) => console.error(text),
};
