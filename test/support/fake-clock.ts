import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './events.ts';

const LIBRARY = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((path) => existsSync(path));

export type FakeClock = {
  /** For the processes that are to believe it. */
  env: Record<string, string>;
  /** From now on they are so many seconds ahead. */
  set: (seconds: number) => void;
};

export const NO_FAKE_CLOCK = 'Debian: apt install faketime';

/** The right time until it is set; null where the library is missing. */
export function fakeClock(): FakeClock | null {
  if (LIBRARY === undefined) return null;
  const folder = temporaryFolder('clock');
  // PostgreSQL has an account of its own, where we are root.
  chmodSync(folder, 0o755);
  const offset = join(folder, 'offset');
  const set = (seconds: number) => writeFileSync(offset, `${seconds < 0 ? '' : '+'}${seconds}\n`);
  set(0);
  return {
    set,
    env: {
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: offset,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
  };
}
