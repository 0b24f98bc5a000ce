import { LRUCache } from 'lru-cache';
import type { Deps } from '../../context.ts';
import type { AppScope } from '../../shared/app.ts';
import { MINUTE_MS, SECOND_MS, sleep } from '../../shared/time.ts';
import { namesIn } from '../../storage/files.ts';
import { localFiles, newestFiles } from '../catalogue/event-sources.ts';
import { FileOwners } from '../catalogue/file-owners.ts';
import { type Moment, type MomentQuestion, readMoment } from '../catalogue/moment-queries.ts';
import { forgetProjections } from '../catalogue/queries.ts';
import type { SourceFile, SourceWindow } from '../catalogue/sources-queries.ts';
import { KeyIndex, type KeyRunInfo } from '../dedup/key-index.ts';
import type { EventRow } from '../event/columns.ts';
import type { AppAlias } from '../event/person.ts';
import { byReceipt, resolveRows } from '../event/resolve.ts';
import { ownersAmong } from '../log/owner.ts';
import { segmentsAmong } from '../log/segments.ts';
import { knownPeople } from '../people/known.ts';
import { openProjections } from '../projection/open.ts';
import type { Projection } from '../projection/projection.ts';
import type { EventStore } from '../store.ts';
import { SegmentTail } from './segment-tail.ts';
import { sharesIds } from './shared-ids.ts';

/** The catalogue's files on this host, and the rows of the log that are in none of them. */
export type EventSnapshot = {
  files: SnapshotFile[];
  hotRows: EventRow[];
  /**
   * Aliases made after some of the files were written: a row of such an anonymous id without a
   * `user_id` belongs to the user. `sharesIds`: such an id may be a user's too.
   */
  lateAliases: AppAlias[];
  sharesIds: boolean;
  /**
   * People erased whose rows may still be in the files: leave out rows whose person is one of them,
   * and rows without a `user_id` whose `anonymous_id` is one.
   */
  erased: string[];
  /** Everything that any host accepted before this time, of the database's clock, is in. */
  dataThrough: Date;
};

/** A file on this host. */
export type SnapshotFile = Omit<SourceFile, 'projection'> & { projection: Projection | null };

/** Called once the catalogue was read: the time from then on goes into fetching files. */
type SnapshotOptions = { onFetch?: () => void };

/**
 * What one query holds of the log at most. A compactor that is far behind makes queries end at
 * `dataThrough` rather than take all memory.
 */
const MAX_HOT_BYTES = 64 * 1024 * 1024;
/** Bytes of the log whose rows are cached for the next query, of all apps together. */
const MAX_CACHED_BYTES = 64 * 1024 * 1024;
const NEVER_CHECKED = -1;
const FOLLOW_EVERY_MS = SECOND_MS;
/** For how long the oldest file that an app's queries read is remembered, and of how many apps. */
const OLDEST_KEPT_MS = 10 * MINUTE_MS;
const OLDEST_KEPT_APPS = 10_000;

type LogPart = {
  rows: Map<string, EventRow[]>;
  /** Receipt of the first batch that is too much for one query, by this host's clock. */
  leftOutFrom: Date | null;
};

/** The look-up of a row's identity in the key runs up to `seq`. */
type KeyCheck = { seq: number; isStored: boolean };

/**
 * Reads the log of this host beside the compactor. The log is read first and the catalogue after
 * it: a segment that is catalogued by then is left out, and one that disappeared in between is
 * catalogued. So no event is missed or counted twice.
 */
export class HotEvents {
  private readonly tails = new Map<string, SegmentTail>();
  /** Who writes to the log of this host, or has left segments there. */
  private owners: readonly string[] = [];
  private readonly keys: KeyIndex;
  /** Apps whose rows of the log are cached: a backlog must not stay in memory whole. */
  private readonly cached: LRUCache<string, true>;
  private readonly keyChecks = new WeakMap<EventRow, KeyCheck>();
  /** By app: the number of the catalogue of the oldest file that was read lately. */
  private readonly oldestSeqs = new LRUCache<string, number>({
    max: OLDEST_KEPT_APPS,
    ttl: OLDEST_KEPT_MS,
    noUpdateTTL: true,
  });
  private readonly fileOwners: FileOwners;
  private refreshing: Promise<void> = Promise.resolve();
  private next: Promise<void> | null = null;

  constructor(
    private readonly store: EventStore,
    private readonly logDir: string,
    maxCachedBytes = MAX_CACHED_BYTES,
  ) {
    this.keys = new KeyIndex((path) => store.objects.localPath(path));
    this.fileOwners = new FileOwners(store.sql);
    this.cached = new LRUCache({
      maxSize: maxCachedBytes,
      dispose: (_, appId, reason) => {
        if (reason === 'evict') for (const tail of this.tails.values()) tail.evict(appId);
      },
    });
  }

  /**
   * Keeps tailing the log while idle, so that the first query after a burst need not read the whole
   * backlog.
   */
  async followForever(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // A failure shows in the next snapshot.
      await this.refresh().catch(() => undefined);
      await sleep(FOLLOW_EVERY_MS, signal);
    }
  }

  /** The events in the window that this host accepted before the call, each once. */
  async snapshot(window: SourceWindow, { onFetch }: SnapshotOptions = {}): Promise<EventSnapshot> {
    const { clock } = this.store;
    const startedMs = performance.now();
    const hot = await this.readLog(window.appId);
    const devices = new Set([...hot.rows.values()].flat().map(({ anonymousId }) => anonymousId));
    const snapshot = await this.readDatabase({
      window,
      owners: this.owners,
      segmentIds: [...hot.rows.keys()],
      devices: [...devices],
    });
    const { now, through, files } = snapshot;
    // When the log was read, by the database's clock at the latest.
    const readMs = now.getTime() - (performance.now() - startedMs);
    const fastMs = Math.max(0, clock().getTime() - now.getTime());
    const throughMs = Math.min(
      readMs,
      through?.getTime() ?? readMs,
      (hot.leftOutFrom?.getTime() ?? Infinity) - fastMs,
    );
    onFetch?.();
    const { hotRows, aliases } = await this.resolve(hot, snapshot, window);
    const wanted = window.newest === undefined ? files : newestFiles(files, window.newest);
    return {
      files: await this.openFiles(window, wanted),
      lateAliases: [...snapshot.lateAliases, ...aliases],
      sharesIds: await sharesIds(this.store.sql, window, snapshot, aliases),
      erased: snapshot.erased,
      dataThrough: new Date(throughMs),
      hotRows,
    };
  }

  /**
   * Which aliases are late is known with the files only. The age of those that were read last time is
   * supposed; where that was too young, the statement is asked again.
   */
  private async readDatabase(question: Omit<MomentQuestion, 'aliasesAfter'>): Promise<Moment> {
    const { appId } = question.window;
    let aliasesAfter = this.oldestSeqs.get(appId) ?? Number.MAX_SAFE_INTEGER;
    for (;;) {
      const moment = await readMoment(this.store.sql, { ...question, aliasesAfter });
      if (moment.oldestSeq >= aliasesAfter) return moment;
      aliasesAfter = moment.oldestSeq;
      this.oldestSeqs.set(appId, aliasesAfter);
    }
  }

  /** A projection that is missing or damaged is left out, and made again by maintenance. */
  private async openFiles(window: SourceWindow, files: readonly SourceFile[]) {
    const { sql, objects } = this.store;
    const local = await localFiles(objects, await this.fileOwners.settle(window, files));
    if (!window.withProjections) return local.map((file) => ({ ...file, projection: null }));
    const { opened, lost } = await openProjections(objects, local, window);
    if (lost.length > 0) await forgetProjections(sql, lost);
    return opened;
  }

  private async resolve(
    hot: LogPart,
    snapshot: Moment,
    window: SourceWindow,
  ): Promise<{ hotRows: EventRow[]; aliases: AppAlias[] }> {
    const rows = [...hot.rows]
      .filter(([segmentId]) => !snapshot.catalogued.has(segmentId))
      .flatMap(([, segmentRows]) => segmentRows)
      .filter((row) => row.orgId === window.orgId)
      .sort(byReceipt);
    if (rows.length === 0) return { hotRows: [], aliases: [] };
    const keys = await this.storedKeys(rows, snapshot.runs);
    const resolved = resolveRows(rows, { ...knownPeople(snapshot.people), keys });
    const fromUs = window.fromMs * 1_000;
    const toUs = window.toMs * 1_000;
    const hotRows = resolved.rows.filter(
      (row) => row.occurredAtUs >= fromUs && row.occurredAtUs < toUs,
    );
    return { hotRows, aliases: resolved.aliases };
  }

  /**
   * The identities of these rows that the snapshot's files hold. A row checked before is looked up
   * in newer runs only, for identities are never removed. A row that a later snapshot found stored
   * may not be stored in this one, whose query then still needs it.
   */
  private async storedKeys(
    rows: readonly EventRow[],
    runs: readonly KeyRunInfo[],
  ): Promise<Set<string>> {
    this.keys.retain(runs);
    const seq = runs.reduce((max, run) => Math.max(max, run.seq), 0);
    const stored = new Set<string>();
    const unchecked = new Map<number, EventRow[]>();
    for (const row of rows) {
      if (row.key === null) continue;
      const check = this.keyChecks.get(row);
      if (check?.isStored && check.seq <= seq) stored.add(row.key);
      else {
        const since = check && !check.isStored ? check.seq : NEVER_CHECKED;
        const group = unchecked.get(since) ?? [];
        unchecked.set(since, group);
        group.push(row);
      }
    }
    for (const [since, group] of unchecked) {
      const newer = runs.filter((run) => run.seq > since);
      const inNewer = await this.keys.known(group, newer);
      for (const row of group) {
        this.remember(row, { seq, isStored: row.key !== null && inNewer.has(row.key) });
      }
      for (const key of inNewer) stored.add(key);
    }
    return stored;
  }

  private remember(row: EventRow, check: KeyCheck): void {
    if ((this.keyChecks.get(row)?.seq ?? NEVER_CHECKED) < check.seq) this.keyChecks.set(row, check);
  }

  private async readLog(appId: string): Promise<LogPart> {
    let leftOutFrom: Date | null = null;
    await this.refresh();
    const rows = new Map<string, EventRow[]>();
    let bytes = 0;
    for (const [segmentId, tail] of this.tails) {
      const first = tail.firstReceivedAt(appId);
      if (first === null) continue;
      bytes += tail.bytesOf(appId);
      if (rows.size > 0 && bytes > MAX_HOT_BYTES) {
        if (leftOutFrom === null || first < leftOutFrom) leftOutFrom = first;
        continue;
      }
      const segmentRows = await tail.rowsOf(appId);
      if (segmentRows) rows.set(segmentId, segmentRows);
    }
    // A single app is cached whatever its size.
    const size = Math.min(bytes, this.cached.maxSize);
    if (size > 0) this.cached.set(appId, true, { size });
    return { rows, leftOutFrom };
  }

  /** One listing of the folder serves every query that was waiting when it began. */
  private refresh(): Promise<void> {
    // The listing under way may have missed what was just acknowledged.
    this.next ??= this.refreshing
      .catch(() => undefined)
      .then(() => {
        this.next = null;
        this.refreshing = this.refreshNow();
        return this.refreshing;
      });
    return this.next;
  }

  private async refreshNow(): Promise<void> {
    const names = await namesIn(this.logDir);
    this.owners = ownersAmong(names);
    const listed = segmentsAmong(this.logDir, names);
    const present = new Set(listed.map(({ segmentId }) => segmentId));
    for (const segmentId of this.tails.keys()) {
      if (!present.has(segmentId)) this.tails.delete(segmentId);
    }
    for (const segment of listed) {
      const tail = this.tails.get(segment.segmentId) ?? new SegmentTail(segment);
      this.tails.set(segment.segmentId, tail);
      if (!(await tail.advance())) this.tails.delete(segment.segmentId);
    }
  }
}

/** Aliases of the last seconds, which are in the log of this host but not in the database yet. */
export async function aliasesInLog(
  deps: Pick<Deps, 'sql' | 'objects' | 'clock' | 'config'>,
  scope: AppScope,
): Promise<AppAlias[]> {
  const nowMs = deps.clock().getTime();
  const hot = new HotEvents(deps, deps.config.events.logDir);
  return (await hot.snapshot({ ...scope, fromMs: nowMs, toMs: nowMs })).lateAliases;
}
