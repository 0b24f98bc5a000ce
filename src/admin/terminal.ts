import type { Terminal } from './cli.ts';

/**
 * The terminal of a command. `console.log` returns once a pipe has taken all of it; what
 * `process.stdout.write` was given may still wait when the command exits, and would be cut off.
 */
export const terminal: Terminal = {
  out: (text) => console.log(text),
  err: (text) => console.error(text),
};
