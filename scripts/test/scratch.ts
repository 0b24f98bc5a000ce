import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 6 * 1024 ** 3;
/** The name has the runner's process, so that what a killed one left is known. */
const OWNED = /^mcp-test-(\d+)-/;

const mayRunPrograms = () =>
  readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .some((line) => line.split(' ')[1] === MEMORY && !/\bnoexec\b/.test(line));

/** Files of full counts may be larger than the memory. */
function isMemoryEnough(): boolean {
  if (process.platform !== 'linux' || process.env.TEST_FULL === '1') return false;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ENOUGH_BYTES && mayRunPrograms();
  } catch {
    return false;
  }
}

function removeAbandoned(): void {
  for (const name of readdirSync(MEMORY)) {
    const owner = OWNED.exec(name)?.[1];
    if (owner === undefined || existsSync(`/proc/${owner}`)) continue;
    rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}

/**
 * The folder of a run: in memory, where a database is copied in 40 ms instead of a second, unless
 * `TMPDIR` says otherwise. Short, since Unix sockets are made below it; searchable, since other
 * accounts work there.
 */
export function makeRunDir(): string {
  const inMemory = process.env.TMPDIR === undefined && isMemoryEnough();
  if (inMemory) removeAbandoned();
  const parent = inMemory ? MEMORY : tmpdir();
  const runDir = mkdtempSync(join(parent, `mcp-test-${process.pid}-`));
  chmodSync(runDir, 0o711);
  return runDir;
}
