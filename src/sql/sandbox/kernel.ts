import { dlopen, FFIType, ptr } from 'bun:ffi';
import { numberOf, type SystemCall } from './system-calls.ts';

export class NotIsolated extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotIsolated';
  }
}

const NUMBERS = Array.from({ length: 7 }, () => FFIType.i64);

const open = () =>
  dlopen('libc.so.6', { syscall: { args: NUMBERS, returns: FFIType.i64 } }).symbols;
let library: ReturnType<typeof open> | null = null;

/** The kernel reads them later than the collector may take them. */
const kept: Uint8Array[] = [];

export function address(bytes: Uint8Array): number {
  kept.push(bytes);
  return Number(ptr(bytes));
}

export const textAddress = (value: string): number =>
  address(new Uint8Array(Buffer.from(`${value}\u0000`)));

/** As `execve` wants its lists: a null ends them. */
export function listAddress(texts: readonly string[]): number {
  const list = new BigUint64Array([...texts.map((each) => BigInt(textAddress(each))), 0n]);
  return address(new Uint8Array(list.buffer));
}

/** Negative when the kernel refuses. */
export function call(name: SystemCall, ...args: readonly number[]): number {
  const number = numberOf(name);
  if (number === null) throw new NotIsolated(`this machine has no ${name}`);
  library ??= open();
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = args;
  return Number(library.syscall(number, a, b, c, d, e, f));
}

export function mustCall(name: SystemCall, ...args: readonly number[]): number {
  const answered = call(name, ...args);
  if (answered < 0) throw new NotIsolated(`the kernel refuses ${name}`);
  return answered;
}
