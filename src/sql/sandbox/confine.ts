import { readFileSync } from 'node:fs';
import { encodeFilter, filterFor } from './filter.ts';
import { address, call, mustCall, NotIsolated, textAddress } from './kernel.ts';
import { machine } from './system-calls.ts';

const FILTER_MODE = 1;
const ALL_THREADS = 1;
const INTERNET = 2;
const STREAM = 1;
const AT_FDCWD = -100;
const WRITE_ONLY = 1;
const READABLE_BY_ALL = '/etc/passwd';
const WRITABLE_BY_ALL = '/dev/null';

/** `struct sock_fprog`. */
function programAddress(bytes: Uint8Array, instructions: number): number {
  const program = new BigUint64Array([BigInt(instructions), BigInt(address(bytes))]);
  return address(new Uint8Array(program.buffer));
}

/** Confines all threads, DuckDB's included. */
function filterCalls(): void {
  const program = filterFor(machine(), process.pid);
  const at = programAddress(encodeFilter(program), program.length);
  // The id of a thread that could not be bound is positive.
  if (mustCall('seccomp', FILTER_MODE, ALL_THREADS, at) > 0) {
    throw new NotIsolated('a thread has a filter of its own');
  }
}

function canRead(path: string): boolean {
  try {
    readFileSync(path);
    return true;
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code !== 'EACCES';
  }
}

/** In each process, before its question is read. */
function checkClosed(): void {
  if (canRead(READABLE_BY_ALL)) throw new NotIsolated('files can still be read');
  if (call('openat', AT_FDCWD, textAddress(WRITABLE_BY_ALL), WRITE_ONLY, 0) >= 0) {
    throw new NotIsolated('files can still be written');
  }
  if (call('socket', INTERNET, STREAM, 0) >= 0) {
    throw new NotIsolated('the network can still be reached');
  }
}

export function confine(): void {
  filterCalls();
  checkClosed();
}
