import { readlinkSync } from 'node:fs';
import { open, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { LRUCache } from 'lru-cache';
import { at } from '../../shared/assert.ts';
import { processStart } from '../../shared/process-identity.ts';
import { Nullable, parser } from '../../shared/schema.ts';
import { SECOND_MS } from '../../shared/time.ts';
import { namesIn } from '../../storage/files.ts';

/** In another pid namespace (container). */
const SILENT_MS = 60 * SECOND_MS;
/** Stops acknowledging well before `SILENT_MS` and `WATCHED_MS`. */
const FENCE_MS = 20 * SECOND_MS;
const RENEW_MS = 2 * SECOND_MS;
const WATCHED_MS = FENCE_MS + 5 * RENEW_MS;
const MAX_WATCHED = 10_000;

const OwnerFile = Type.Object({
  pid: Type.Integer(),
  startTime: Nullable(Type.String()),
  pidNamespace: Nullable(Type.String()),
});
type OwnerFile = Static<typeof OwnerFile>;

const ownerParser = parser(OwnerFile, 'owner file');

const OWNED = /\.(owner|log)$/;

const ownerPath = (dir: string, ownerId: string) => join(dir, `${ownerId}.owner`);

function pidNamespace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return null;
  }
}

/** Pid and start time, renewed regularly. */
export class SegmentOwner {
  private renewedAt = performance.now();
  private timer: Timer | undefined;

  private constructor(
    private readonly dir: string,
    readonly id: string,
  ) {}

  static async claim(dir: string): Promise<SegmentOwner> {
    const random = crypto.randomUUID().slice(0, 8);
    const id = `${Date.now().toString(36)}-${process.pid}-${random}`;
    const owner = new SegmentOwner(dir, id);
    const content: OwnerFile = {
      pid: process.pid,
      startTime: processStart(process.pid) ?? null,
      pidNamespace: pidNamespace(),
    };
    const file = await open(ownerPath(dir, id), 'wx');
    try {
      await file.writeFile(JSON.stringify(content));
      await file.sync();
    } finally {
      await file.close();
    }
    owner.timer = setInterval(() => void owner.renew(), RENEW_MS);
    owner.timer.unref();
    return owner;
  }

  private async renew(): Promise<void> {
    const at = performance.now();
    const now = new Date();
    try {
      await utimes(ownerPath(this.dir, this.id), now, now);
      this.renewedAt = at;
    } catch {
      // The claim expires by itself: see `holds`.
    }
  }

  async holds(): Promise<boolean> {
    if (performance.now() - this.renewedAt < FENCE_MS) return true;
    // An adopter may have removed the claim.
    await this.renew();
    return false;
  }

  async release(): Promise<void> {
    clearInterval(this.timer);
    await deleteClaim(this.dir, this.id);
  }
}

async function readOwner(dir: string, ownerId: string): Promise<OwnerFile | null> {
  try {
    return ownerParser.parse(JSON.parse(await readFile(ownerPath(dir, ownerId), 'utf8')));
  } catch {
    return null;
  }
}

const watched = new LRUCache<string, { renewedMs: number; sinceMs: number }>({ max: MAX_WATCHED });

function isSilent(path: string, renewedMs: number, nowMs: number): boolean {
  const before = watched.get(path);
  const seen = before?.renewedMs === renewedMs ? before : { renewedMs, sinceMs: nowMs };
  watched.set(path, seen);
  const isOdd = Math.abs(Date.now() - renewedMs) >= SILENT_MS;
  return nowMs - seen.sinceMs >= (isOdd ? WATCHED_MS : SILENT_MS);
}

export async function isOwnerAlive(
  dir: string,
  ownerId: string,
  nowMs: number = performance.now(),
): Promise<boolean> {
  const info = await stat(ownerPath(dir, ownerId)).catch(() => null);
  if (info === null) return false;
  const owner = await readOwner(dir, ownerId);
  // A claim being written is empty.
  const sameNamespace = owner !== null && owner.pidNamespace === pidNamespace();
  if (owner && sameNamespace && owner.startTime !== null) {
    return processStart(owner.pid) === owner.startTime;
  }
  return !isSilent(ownerPath(dir, ownerId), info.mtimeMs, nowMs);
}

export function ownersAmong(names: readonly string[]): string[] {
  const owned = names.filter((name) => OWNED.test(name));
  return [...new Set(owned.map((name) => at(name.split('.'), 0)))];
}

export const ownersIn = async (dir: string): Promise<string[]> => ownersAmong(await namesIn(dir));

export async function deleteClaim(dir: string, ownerId: string): Promise<void> {
  await rm(ownerPath(dir, ownerId), { force: true });
}
