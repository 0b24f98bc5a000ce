import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { identify, isAlive, type ProcessIdentity } from '../shared/process-identity.ts';
import { parser } from '../shared/schema.ts';

const Identity = Type.Object({ pid: Type.Integer({ minimum: 1 }), startedAt: Type.String() });
const Child = Type.Composite([
  Identity,
  Type.Object({
    name: Type.String(),
    stopSignal: Type.Union([Type.Literal('SIGTERM'), Type.Literal('SIGINT')]),
  }),
]);
const Records = Type.Object({ supervisor: Identity, children: Type.Array(Child) });
const records = parser(Records, 'record of children');

export type ChildRecord = typeof Child.static;

const ORPHAN_GRACE_MS = 5_000;
const LAST_GRACE_MS = 500;
const KILLED_WITHIN_MS = 2_000;

/** Containers may share a data folder, but pids are per host. */
const HOST_PREFIX = `${hostname()}-`;

const recordsFolder = (dataDir: string) => join(dataDir, 'children');

/** For recovery after SIGKILL. */
export class ChildRecords {
  private readonly children = new Map<string, ChildRecord>();
  private readonly path: string;
  private readonly supervisor = identify(process.pid);

  constructor(dataDir: string) {
    mkdirSync(recordsFolder(dataDir), { recursive: true, mode: 0o700 });
    this.path = join(recordsFolder(dataDir), `${HOST_PREFIX}${process.pid}.json`);
  }

  add(name: string, pid: number, stopSignal: ChildRecord['stopSignal']): void {
    this.children.set(name, { name, stopSignal, ...identify(pid) });
    this.write();
  }

  remove(name: string): void {
    this.children.delete(name);
    this.write();
  }

  async end(): Promise<void> {
    await endChildren([...this.children.values()], LAST_GRACE_MS);
    rmSync(this.path, { force: true });
  }

  killAll(): void {
    for (const child of this.children.values()) signal(child, 'SIGKILL');
  }

  private write(): void {
    const content = { supervisor: this.supervisor, children: [...this.children.values()] };
    const staging = `${this.path}.new`;
    writeFileSync(staging, JSON.stringify(content), { mode: 0o600 });
    renameSync(staging, this.path);
  }
}

function signal(child: ChildRecord, name: NodeJS.Signals): void {
  try {
    if (isAlive(child)) process.kill(child.pid, name);
  } catch {}
}

async function waitForEnd(children: readonly ProcessIdentity[], withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (children.some(isAlive) && performance.now() < deadline) await Bun.sleep(50);
}

async function endChildren(children: readonly ChildRecord[], graceMs: number): Promise<string[]> {
  const alive = children.filter(isAlive);
  for (const child of alive) signal(child, child.stopSignal);
  await waitForEnd(alive, graceMs);
  for (const child of alive) signal(child, 'SIGKILL');
  await waitForEnd(alive, KILLED_WITHIN_MS);
  return alive.map((child) => child.name);
}

function readRecords(path: string): typeof Records.static | undefined {
  try {
    return records.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // Its processes watch their parent.
    return undefined;
  }
}

export async function stopOrphans(dataDir: string): Promise<string[]> {
  const folder = recordsFolder(dataDir);
  if (!existsSync(folder)) return [];
  const stopped: string[] = [];
  for (const file of readdirSync(folder).filter((name) => name.startsWith(HOST_PREFIX))) {
    const path = join(folder, file);
    const record = readRecords(path);
    if (record && isAlive(record.supervisor)) continue;
    if (record) stopped.push(...(await endChildren(record.children, ORPHAN_GRACE_MS)));
    rmSync(path, { force: true });
  }
  return stopped;
}
