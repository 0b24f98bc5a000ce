import { appendFileSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { afterAll } from 'bun:test';
import { plugin } from 'bun';

/**
 * Preloaded into each `bun test` of the runner: appends a line to `TEST_TIMES_FILE` whenever a file
 * of tests begins and when the process ends, with the seconds since the line before.
 */
const target = process.env.TEST_TIMES_FILE;

/** The clock ticks of Linux a second, as `getconf CLK_TCK` says on every architecture of ours. */
const TICKS_PER_SECOND = 100;

/** User and system time of the children that have been waited for. Zero where there is no /proc. */
function childSeconds(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + childSeconds();
}

/** Time during which at least one wait of a kind was under way, so that parallel ones count once. */
class Waits {
  private readonly kinds = new Map<string, { open: number; sinceMs: number; totalMs: number }>();

  begin(kind: string): () => void {
    const entry = this.kinds.get(kind) ?? { open: 0, sinceMs: 0, totalMs: 0 };
    this.kinds.set(kind, entry);
    if (entry.open === 0) entry.sinceMs = performance.now();
    entry.open += 1;
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      entry.open -= 1;
      if (entry.open === 0) entry.totalMs += performance.now() - entry.sinceMs;
    };
  }

  take(): Record<string, number> {
    const now = performance.now();
    const seconds: Record<string, number> = {};
    for (const [kind, entry] of this.kinds) {
      const openMs = entry.open > 0 ? now - entry.sinceMs : 0;
      seconds[kind] = (entry.totalMs + openMs) / 1_000;
      entry.totalMs = 0;
      entry.sinceMs = now;
    }
    return seconds;
  }
}

const waits = new Waits();
Object.assign(globalThis, { [Symbol.for('test waits')]: waits });
let current = '';
let lastWallMs = performance.now();
let lastProcessor = 0;

function mark(next: string): void {
  const nowMs = performance.now();
  const processor = processorSeconds();
  const line = {
    path: current,
    wall: (nowMs - lastWallMs) / 1_000,
    processor: processor - lastProcessor,
    waits: waits.take(),
  };
  if (target !== undefined) appendFileSync(target, `${JSON.stringify(line)}\n`);
  [current, lastWallMs, lastProcessor] = [next, nowMs, processor];
}

function watchSleepAndChildren(): void {
  const { sleep, spawn } = Bun;
  Bun.sleep = ((length: number | Date) => {
    const end = waits.begin('sleep');
    return sleep(length).finally(end);
  }) satisfies typeof Bun.sleep;
  const watched = (...given: unknown[]) => {
    const child = Reflect.apply(spawn, Bun, given);
    // A service runs for as long as its tests; its start is counted by `test/support/instance.ts`.
    const isService = /scripts\/start\.ts|src\/main\.ts/.test(JSON.stringify(given[0]) ?? '');
    if (!isService) child.exited.finally(waits.begin('process'));
    return child;
  };
  Object.assign(Bun, { spawn: watched });
}

/** From a write to a server of the runner until its next bytes. */
function watchServers(): void {
  const portOf = (url: string | undefined) => Number(/:(\d+)(?:\/|$)/.exec(url ?? '')?.[1] ?? 0);
  const kinds = new Map([
    [portOf(process.env.TEST_DATABASE_URL), 'PostgreSQL'],
    [portOf(process.env.TEST_TEMPORAL_ADDRESS), 'Temporal'],
  ]);
  kinds.delete(0);
  const { write } = Socket.prototype;
  const pending = new WeakMap<Socket, () => void>();
  Socket.prototype.write = function watchedWrite(this: Socket, ...given: unknown[]) {
    const kind = kinds.get(this.remotePort ?? 0);
    if (kind !== undefined && !pending.has(this)) {
      const end = waits.begin(kind);
      const settle = () => {
        end();
        pending.delete(this);
        this.off('data', settle).off('close', settle);
      };
      pending.set(this, settle);
      this.once('data', settle).once('close', settle);
    }
    return Reflect.apply(write, this, given);
  };
}

if (target !== undefined) {
  plugin({
    name: 'measure test files',
    setup(build) {
      build.onLoad({ filter: /\/test\/.*\.test\.ts$/ }, async ({ path }) => {
        mark(path.slice(path.lastIndexOf('/test/') + 1));
        return { contents: await Bun.file(path).text(), loader: 'ts' };
      });
    },
  });
  afterAll(() => mark(''));
  if (process.env.TEST_TIMES_WAITS === '1') {
    watchSleepAndChildren();
    watchServers();
  }
}
