import {
  type CataloguePart,
  type EventSources,
  localFiles,
  type PersonAlias,
  readCatalogue,
  type SourceDeps,
  type SourceOptions,
} from '../catalogue/event-sources.ts';
import { catalogued, liveRuns } from '../catalogue/queries.ts';
import { inSnapshot, insertLease, type SourceWindow } from '../catalogue/sources-queries.ts';
import type { EventRow } from '../columns.ts';
import { KeyIndex, type KeyRunInfo } from '../dedup/key-index.ts';
import { listSegments } from '../log/segments.ts';
import { knownPeople } from '../people/known.ts';
import { byReceipt, type Known, resolveRows } from '../resolve.ts';
import { SegmentTail } from './segment-tail.ts';

/** The catalogue's files and, beside them, the rows of the log that are not in them yet. */
export type EventSnapshot = EventSources & { hotRows: EventRow[] };

/**
 * What one query holds of the log at most. A compactor that is far behind makes queries end at
 * `dataThrough` rather than take all memory.
 */
const MAX_HOT_BYTES = 64 * 1024 * 1024;
/** Of the log: rows that are kept for the next query, of all apps together. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

type HotPart = { rows: Map<string, EventRow[]>; through: Date };

type Frozen = CataloguePart & {
  done: ReadonlySet<string>;
  runs: KeyRunInfo[];
  people: Omit<Known, 'keys'>;
};

type Checked = { seq: number; isStored: boolean };

/**
 * Reads the log of this host behind the compactor's back. The log is looked at first and the
 * catalogue after it: a segment found is left out when the catalogue of that moment has it, and one
 * that disappeared in between is in the catalogue already. So nothing is missed or counted twice.
 */
export class HotEvents {
  private readonly tails = new Map<string, SegmentTail>();
  private readonly keys: KeyIndex;
  /** Bytes of the log whose rows are kept, by app; the one asked for last at the end. */
  private readonly kept = new Map<string, number>();
  private readonly checked = new WeakMap<EventRow, Checked>();
  private refreshing: Promise<void> | null = null;
  private next: Promise<void> | null = null;

  constructor(
    private readonly deps: SourceDeps,
    private readonly logDir: string,
    private readonly maxKeptBytes = MAX_KEPT_BYTES,
  ) {
    this.keys = new KeyIndex((path) => deps.objects.localPath(path));
  }

  /** Everything taken on this host before the call and occurred in the window, each event once. */
  async snapshot(window: SourceWindow, options: SourceOptions = {}): Promise<EventSnapshot> {
    const { sql, objects } = this.deps;
    const { leaseSeconds } = options;
    const leaseId = leaseSeconds ? await insertLease(sql, window.orgId, leaseSeconds) : null;
    const hot = await this.readHot(window.appId);
    const given = [...hot.rows.values()].flat();
    const frozen = await inSnapshot(sql, async (tx): Promise<Frozen> => {
      const [part, done, runs, people] = await Promise.all([
        readCatalogue(tx, window),
        catalogued(tx, [...hot.rows.keys()]),
        given.length === 0 ? [] : liveRuns(tx),
        knownPeople(tx, given),
      ]);
      return { ...part, done, runs, people };
    });
    options.onFetch?.();
    const { hotRows, links } = await this.settle(hot, frozen, window);
    return {
      files: await localFiles(objects, frozen.rows),
      lateLinks: [...frozen.lateLinks, ...links],
      erased: frozen.erased,
      leaseId,
      dataThrough: hot.through,
      hotRows,
    };
  }

  private async settle(
    hot: HotPart,
    frozen: Frozen,
    window: SourceWindow,
  ): Promise<{ hotRows: EventRow[]; links: PersonAlias[] }> {
    const rows = [...hot.rows]
      .filter(([segmentId]) => !frozen.done.has(segmentId))
      .flatMap(([, segmentRows]) => segmentRows)
      .filter((row) => row.orgId === window.orgId)
      .sort(byReceipt);
    if (rows.length === 0) return { hotRows: [], links: [] };
    const keys = await this.storedKeys(rows, frozen.runs);
    const resolved = resolveRows(rows, { ...frozen.people, keys });
    const fromUs = window.fromMs * 1_000;
    const toUs = window.toMs * 1_000;
    const hotRows = resolved.rows.filter(
      (row) => row.occurredAtUs >= fromUs && row.occurredAtUs < toUs,
    );
    const links = resolved.links.map(({ anonymousId, userId }) => ({ anonymousId, userId }));
    return { hotRows, links };
  }

  /**
   * The identities among these rows that the snapshot's files hold. A row looked at before is
   * compared with newer runs only, for identities are never removed; but what a later snapshot
   * found stored may not be so in this one, whose query then still needs the row.
   */
  private async storedKeys(
    rows: readonly EventRow[],
    runs: readonly KeyRunInfo[],
  ): Promise<Set<string>> {
    this.keys.retain(runs);
    const seq = runs.reduce((max, run) => Math.max(max, run.seq), 0);
    const stored = new Set<string>();
    const unsure = new Map<number, EventRow[]>();
    for (const row of rows) {
      if (row.key === null) continue;
      const before = this.checked.get(row);
      if (before?.isStored && before.seq <= seq) stored.add(row.key);
      else {
        const since = before && !before.isStored ? before.seq : -1;
        const group = unsure.get(since) ?? [];
        group.push(row);
        unsure.set(since, group);
      }
    }
    for (const [since, group] of unsure) {
      const newer = runs.filter((run) => run.seq > since);
      const found = await this.keys.known(
        group.map((row) => row.key ?? ''),
        newer,
      );
      for (const row of group) this.remember(row, { seq, isStored: found.has(row.key ?? '') });
      for (const key of found) stored.add(key);
    }
    return stored;
  }

  private remember(row: EventRow, checked: Checked): void {
    if ((this.checked.get(row)?.seq ?? -1) < checked.seq) this.checked.set(row, checked);
  }

  private async readHot(appId: string): Promise<HotPart> {
    let through = this.deps.clock();
    await this.refresh();
    const rows = new Map<string, EventRow[]>();
    let bytes = 0;
    for (const [segmentId, tail] of this.tails) {
      const first = tail.firstReceivedAt(appId);
      if (first === null) continue;
      bytes += tail.bytesOf(appId);
      if (rows.size > 0 && bytes > MAX_HOT_BYTES) {
        if (first < through) through = first;
        continue;
      }
      const segmentRows = await tail.rowsOf(appId);
      if (segmentRows) rows.set(segmentId, segmentRows);
    }
    this.keepInBounds(appId, Math.min(bytes, MAX_HOT_BYTES));
    return { rows, through };
  }

  /** A backlog that queries of many apps have read must not stay in memory whole. */
  private keepInBounds(appId: string, bytes: number): void {
    this.kept.delete(appId);
    let sum = [...this.kept.values()].reduce((all, one) => all + one, bytes);
    for (const [other, size] of this.kept) {
      if (sum <= this.maxKeptBytes) break;
      for (const tail of this.tails.values()) tail.forget(other);
      this.kept.delete(other);
      sum -= size;
    }
    if (bytes > 0) this.kept.set(appId, bytes);
  }

  /** One look at the folder serves every query that was waiting when it began. */
  private async refresh(): Promise<void> {
    if (!this.refreshing) {
      this.refreshing = this.refreshNow().finally(() => {
        this.refreshing = null;
      });
      return this.refreshing;
    }
    // The one under way may have missed what was just acknowledged.
    this.next ??= this.refreshing
      .catch(() => undefined)
      .then(() => {
        this.next = null;
        return this.refresh();
      });
    return this.next;
  }

  private async refreshNow(): Promise<void> {
    const listed = await listSegments(this.logDir);
    const names = new Set(listed.map((segment) => segment.segmentId));
    for (const segmentId of this.tails.keys()) {
      if (!names.has(segmentId)) this.tails.delete(segmentId);
    }
    for (const segment of listed) {
      const tail = this.tails.get(segment.segmentId) ?? new SegmentTail(segment);
      this.tails.set(segment.segmentId, tail);
      if (!(await tail.advance())) this.tails.delete(segment.segmentId);
    }
  }
}
