import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Glob } from 'bun';
import type { Architecture } from './debian.ts';

const MACHINES: Readonly<Record<Architecture, number>> = { amd64: 62, arm64: 183 };
const SYSTEM_LIBRARIES: Readonly<Record<Architecture, string>> = {
  amd64: 'usr/lib/x86_64-linux-gnu',
  arm64: 'usr/lib/aarch64-linux-gnu',
};
const LOADED = 1;
const DYNAMIC = 2;
const NEEDED = 1n;
const STRINGS = 5n;
const PATHS = [15n, 29n];

export type Program = { machine: number; needed: string[]; searched: string[] };

/** Null for files that are no program or library of 64 bits. */
export function readElf(bytes: Buffer): Program | null {
  if (bytes.length < 64 || bytes.readUInt32BE(0) !== 0x7f454c46 || bytes[4] !== 2) return null;
  const machine = bytes.readUInt16LE(18);
  const table = Number(bytes.readBigUInt64LE(32));
  const segments = Array.from({ length: bytes.readUInt16LE(56) }, (_, index) => {
    const at = table + index * bytes.readUInt16LE(54);
    const [offset, address] = [8, 16].map((field) => bytes.readBigUInt64LE(at + field));
    const size = bytes.readBigUInt64LE(at + 32);
    return { type: bytes.readUInt32LE(at), offset: offset ?? 0n, address: address ?? 0n, size };
  });
  const dynamic = segments.find(({ type }) => type === DYNAMIC);
  if (!dynamic) return { machine, needed: [], searched: [] };
  const entries = Array.from({ length: Number(dynamic.size) / 16 }, (_, index) => {
    const at = Number(dynamic.offset) + index * 16;
    return { tag: bytes.readBigUInt64LE(at), value: bytes.readBigUInt64LE(at + 8) };
  });
  const address = entries.find(({ tag }) => tag === STRINGS)?.value ?? 0n;
  const strings = segments.find(
    (one) => one.type === LOADED && address >= one.address && address < one.address + one.size,
  );
  const textAt = (value: bigint): string => {
    const from = Number(address - (strings?.address ?? 0n) + (strings?.offset ?? 0n) + value);
    return bytes.toString('latin1', from, bytes.indexOf(0, from));
  };
  const texts = (tags: readonly bigint[]) =>
    entries.filter(({ tag }) => tags.includes(tag)).map(({ value }) => textAt(value));
  return {
    machine,
    needed: texts([NEEDED]),
    searched: texts(PATHS).flatMap((text) => text.split(':')),
  };
}

/** Faults of programs and libraries below a root: another machine's, or without a library. */
export function elfFaults(
  root: string,
  architecture: Architecture,
): { seen: number; faults: string[] } {
  const faults: string[] = [];
  let seen = 0;
  for (const path of new Glob('**/*').scanSync({ cwd: root, dot: true, onlyFiles: true })) {
    const file = join(root, path);
    if (lstatSync(file).isSymbolicLink()) continue;
    const program = readElf(readFileSync(file));
    if (program === null) continue;
    seen += 1;
    if (program.machine !== MACHINES[architecture]) faults.push(`${path}: another machine's`);
    const folders = [
      join(root, SYSTEM_LIBRARIES[architecture]),
      join(root, 'usr/lib'),
      join(root, 'usr/lib64'),
      ...program.searched.map((one) =>
        resolve(one.replace(/\$ORIGIN|\$\{ORIGIN\}/, dirname(file))),
      ),
    ];
    for (const name of program.needed) {
      if (!folders.some((folder) => existsSync(join(folder, name))))
        faults.push(`${path}: no ${name}`);
    }
  }
  return { seen, faults };
}
