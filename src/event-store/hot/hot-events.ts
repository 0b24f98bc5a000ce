import { LRUCache } from 'lru-cache';
import type { Deps } from '../../context.ts';
import type { AppScope } from '../../shared/app.ts';
import { at, must } from '../../shared/assert.ts';
import { SECOND_MS, sleep } from '../../shared/time.ts';
import { namesIn } from '../../storage/files.ts';
import { forgetColumns } from '../catalogue/column-queries.ts';
import { localFiles, newestFiles } from '../catalogue/event-sources.ts';
import { FileOwners } from '../catalogue/file-owners.ts';
import { type LogFacts, type Moment, readMoment } from '../catalogue/moment-queries.ts';
import { clearProjections } from '../catalogue/queries.ts';
import type { SourceFile, SourceWindow } from '../catalogue/sources-queries.ts';
import type { EventRow } from '../event/columns.ts';
import type { AppAlias, ErasedAs } from '../event/person.ts';
import { byReceipt, resolveRows } from '../event/resolve.ts';
import { undoneRows } from '../imports/imported-rows.ts';
import { ownersAmong } from '../log/owner.ts';
import { segmentsAmong } from '../log/segments.ts';
import { knownPeople } from '../people/known.ts';
import { openProjections } from '../projection/open.ts';
import type { Projection } from '../projection/projection.ts';
import type { EventStore } from '../store.ts';
import { FileUses } from '../sums/file-uses.ts';
import { factsOf, KeptLog, type LogRows, resolvedOnce, rowsWithin } from './kept-log.ts';
import { KeptAliases } from './late-aliases.ts';
import { SegmentTail } from './segment-tail.ts';
import { sharesIds } from './shared-ids.ts';
import { StoredKeys } from './stored-keys.ts';

export type EventSnapshot = {
  files: SnapshotFile[];
  uses: FileUses;
  hotRows: EventRow[];
  /** `sharesIds`: such an anonymous id may also be a user id. */
  lateAliases: readonly AppAlias[];
  sharesIds: boolean;
  erased: string[];
  erasedAs: ReadonlyMap<string, ErasedAs>;
  /** Complete over all hosts up to this database time. */
  dataThrough: Date;
};

export type SnapshotFile = Omit<SourceFile, 'columns' | 'projection'> & {
  projection: Projection | null;
};

type SnapshotOptions = { onFetch?: () => void };

/** Behind it, queries end early at `dataThrough`. */
const MAX_HOT_BYTES = 64 * 1024 * 1024;
const MAX_CACHED_BYTES = 64 * 1024 * 1024;
const FOLLOW_EVERY_MS = SECOND_MS;

type LogPart = {
  rows: Map<string, EventRow[]>;
  /** Receipt of the first batch over the limit, by this host's clock. */
  leftOutFrom: Date | null;
};

/** Log before catalogue: no event is missed or counted twice. */
export class HotEvents {
  private readonly tails = new Map<string, SegmentTail>();
  private owners: readonly string[] = [];
  private readonly keys: StoredKeys;
  /** Bounded, since a backlog must not stay in memory. */
  private readonly cached: LRUCache<string, true>;
  private readonly log = new KeptLog();
  private readonly aliases = new KeptAliases();
  private readonly fileOwners: FileOwners;
  private refreshing: Promise<void> = Promise.resolve();
  private next: Promise<void> | null = null;

  constructor(
    private readonly store: EventStore,
    private readonly logDir: string,
    maxCachedBytes = MAX_CACHED_BYTES,
  ) {
    this.keys = new StoredKeys((path, part) => store.objects.localPath(path, { part }));
    this.fileOwners = new FileOwners(store.sql);
    this.cached = new LRUCache({
      maxSize: maxCachedBytes,
      dispose: (_, appId, reason) => {
        if (reason !== 'evict') return;
        this.log.forget(appId);
        for (const tail of this.tails.values()) tail.evict(appId);
      },
    });
  }

  /** The first query after a burst need not read the whole backlog then. */
  async followForever(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // Failures surface in the next `snapshot()`.
      await this.refresh().catch(() => undefined);
      await sleep(FOLLOW_EVERY_MS, signal);
    }
  }

  async snapshot(window: SourceWindow, { onFetch }: SnapshotOptions = {}): Promise<EventSnapshot> {
    const { clock } = this.store;
    const startedMs = performance.now();
    const hot = await this.readLog(window.appId);
    const log = this.log.of(window.appId, hot.rows);
    // Another question may learn more meanwhile.
    const { known } = log;
    const question = {
      window,
      owners: this.owners,
      segmentIds: [...hot.rows.keys()],
      devices: log.devices,
      importedAt: log.importedAt,
      knownLog: known?.state ?? null,
    };
    const { moment, late } = await this.aliases.moment(window.appId, (asked) =>
      readMoment(this.store.sql, { ...question, ...asked }),
    );
    const { now, through, files } = moment;
    // Upper bound of the log's read time, in database time.
    const readMs = now.getTime() - (performance.now() - startedMs);
    const fastMs = Math.max(0, clock().getTime() - now.getTime());
    const throughMs = Math.min(
      readMs,
      through?.getTime() ?? readMs,
      (hot.leftOutFrom?.getTime() ?? Infinity) - fastMs,
    );
    onFetch?.();
    const ofLog = must(moment.ofLog ?? known, 'facts are left out only where they are known');
    log.known = ofLog;
    const { hotRows, aliases } = await this.resolve(log, { ...moment, ofLog }, window);
    const wanted = window.newest === undefined ? files : newestFiles(files, window.newest);
    return {
      ...(await this.openFiles(window, wanted)),
      lateAliases: aliases.length > 0 ? [...late.aliases, ...aliases] : late.aliases,
      sharesIds: await sharesIds(this.store.sql, window, late, aliases),
      erased: moment.erased,
      erasedAs: moment.erasedAs,
      dataThrough: new Date(throughMs),
      hotRows,
    };
  }

  /** Maintenance rebuilds missing or damaged projections. */
  private async openFiles(window: SourceWindow, files: readonly SourceFile[]) {
    const { sql, objects } = this.store;
    const settled = await this.fileOwners.settle(window, files);
    const when = window.withProjections ? 'never' : 'first';
    const local = await localFiles(objects, settled, { when });
    const keyOf = new Map(local.map(({ path }, index) => [path, at(settled, index).path]));
    const uses = new FileUses(objects, keyOf);
    if (!window.withProjections) {
      const bare = local.map(({ columns: _, ...file }) => ({ ...file, projection: null }));
      return { files: bare, uses };
    }
    const { opened, lost, lostColumns } = await openProjections(objects, local, window);
    if (lost.length > 0) await clearProjections(sql, lost);
    if (lostColumns.length > 0) await forgetColumns(sql, lostColumns);
    return { files: opened, uses };
  }

  private async resolve(
    log: LogRows,
    moment: Moment & { ofLog: LogFacts },
    window: SourceWindow,
  ): Promise<{ hotRows: EventRow[]; aliases: AppAlias[] }> {
    const { ofLog, isDeleted, undoneAt, undoneSeq } = moment;
    const facts = factsOf(window.orgId, log, moment);
    const resolved = await resolvedOnce(log, facts, async () => {
      const rows = facts.segmentIds
        .flatMap((segmentId) => log.segments.get(segmentId) ?? [])
        .filter((row) => row.orgId === window.orgId)
        .sort(byReceipt);
      // Runs open for other apps stay open.
      if (rows.length === 0) return { rows: [], aliases: [] };
      const keys = await this.keys.stored(rows, { runs: ofLog.runs, undoneSeq });
      const deleted = new Set(isDeleted ? [window.appId] : []);
      const isUndone = undoneRows(window.appId, undoneAt);
      return resolveRows(rows, { ...knownPeople({ ...ofLog, deleted }), keys, isUndone });
    });
    const inside = { fromUs: window.fromMs * 1_000, beforeUs: window.toMs * 1_000 };
    return { hotRows: rowsWithin(resolved, inside), aliases: resolved.aliases };
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
    // A single app is cached at any size.
    const size = Math.min(bytes, this.cached.maxSize);
    if (size > 0) this.cached.set(appId, true, { size });
    return { rows, leftOutFrom };
  }

  /** One listing serves all queries waiting for it. */
  private refresh(): Promise<void> {
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

export async function aliasesInLog(
  deps: Pick<Deps, 'sql' | 'objects' | 'clock' | 'config'>,
  scope: AppScope,
): Promise<readonly AppAlias[]> {
  const nowMs = deps.clock().getTime();
  const hot = new HotEvents(deps, deps.config.events.logDir);
  return (await hot.snapshot({ ...scope, fromMs: nowMs, toMs: nowMs })).lateAliases;
}
