import { at, must } from '../../shared/assert.ts';
import type { LogRecord } from './record.ts';

export type RingEntryState = 'waiting' | 'written' | 'dropped';
export type RingEntry = { record: LogRecord; bytes: number; state: RingEntryState };

export type RingLimits = { entriesPerOrg: number; bytesPerOrg: number; bytesInAll: number };

type OrgRing = { items: RingEntry[]; first: number; bytes: number };

const OVERHEAD_BYTES = 300;
const COMPACT_AT = 1_024;
const ROOM_AFTER = 0.9;

/** Evicts the oldest, first of an organization over its limit, then of the largest. */
export class LogRings {
  private readonly rings = new Map<string, OrgRing>();
  private readonly lost = new Map<string, number>();
  private bytes = 0;

  constructor(
    private readonly limits: RingLimits,
    private readonly onDropped: () => void = () => undefined,
  ) {}

  add(record: LogRecord): RingEntry {
    const bytes = (record.entry.length + record.haystack.length) * 2 + OVERHEAD_BYTES;
    const held: RingEntry = { record, bytes, state: 'waiting' };
    const ring = this.rings.get(record.orgId) ?? { items: [], first: 0, bytes: 0 };
    this.rings.set(record.orgId, ring);
    ring.items.push(held);
    ring.bytes += bytes;
    this.bytes += bytes;
    while (this.isOverfull(ring)) this.evict(record.orgId, ring);
    if (this.bytes > this.limits.bytesInAll) this.makeRoom();
    return held;
  }

  of(orgId: string): LogRecord[] {
    const ring = this.rings.get(orgId);
    if (!ring) return [];
    return ring.items
      .slice(ring.first)
      .map((held) => held.record)
      .reverse();
  }

  dropped(orgId: string): number {
    return this.lost.get(orgId) ?? 0;
  }

  /** Counts as lost unless written. */
  drop(held: RingEntry): void {
    if (held.state !== 'waiting') return;
    held.state = 'dropped';
    this.onDropped();
    this.lost.set(held.record.orgId, this.dropped(held.record.orgId) + 1);
  }

  private isOverfull(ring: OrgRing): boolean {
    return (
      ring.items.length - ring.first > this.limits.entriesPerOrg ||
      ring.bytes > this.limits.bytesPerOrg
    );
  }

  private evict(orgId: string, ring: OrgRing): void {
    const oldest = at(ring.items, ring.first);
    ring.first += 1;
    ring.bytes -= oldest.bytes;
    this.bytes -= oldest.bytes;
    this.drop(oldest);
    if (ring.first === ring.items.length) this.rings.delete(orgId);
    else if (ring.first > COMPACT_AT && ring.first * 2 > ring.items.length) {
      ring.items = ring.items.slice(ring.first);
      ring.first = 0;
    }
  }

  /** A tenth at once: the search scans all. */
  private makeRoom(): void {
    const target = this.limits.bytesInAll * ROOM_AFTER;
    while (this.bytes > target) {
      const [orgId, ring] = must(this.largest(), 'bytes are held by a ring');
      const half = ring.bytes / 2;
      while (this.bytes > target && ring.bytes > half) this.evict(orgId, ring);
    }
  }

  private largest(): [string, OrgRing] | undefined {
    let largest: [string, OrgRing] | undefined;
    for (const entry of this.rings) {
      if (!largest || entry[1].bytes > largest[1].bytes) largest = entry;
    }
    return largest;
  }
}
