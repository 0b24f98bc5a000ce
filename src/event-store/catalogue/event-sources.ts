import type { Clock } from '../../shared/time.ts';
import type { ObjectStore } from '../../storage/object-store/port.ts';
import type { Db, Sql } from '../../storage/postgres.ts';
import { linksAfter } from '../people/queries.ts';
import {
  inSnapshot,
  insertLease,
  pendingErasures,
  type SourceRow,
  type SourceWindow,
  sourceFiles,
} from './sources-queries.ts';

export type { SourceWindow } from './sources-queries.ts';

/** As in the catalogue; `path` is on this host. */
export type SourceFile = SourceRow;

export type PersonAlias = { anonymousId: string; userId: string };

export type EventSources = {
  files: SourceFile[];
  /**
   * Mappings made after some of the files were written: a row of these anonymous ids without a
   * `user_id` belongs to the user.
   */
  lateLinks: PersonAlias[];
  /**
   * People erased whose rows may still be in the files: leave out rows whose person is one of them,
   * and rows without a `user_id` whose `anonymous_id` is one.
   */
  erased: string[];
  /** Null unless asked for: a reader that is done within minutes needs none. */
  leaseId: string | null;
  /** Everything that this host had taken by then is in. */
  dataThrough: Date;
};

export type SourceDeps = { sql: Sql; objects: ObjectStore; clock: Clock };
export type SourceOptions = {
  /** Keeps the files readable for this long; else for `GRACE_SECONDS` after they are replaced. */
  leaseSeconds?: number;
  /** The catalogue was read: what takes time from here on is fetching files. */
  onFetch?: () => void;
};

const FETCHES_AT_ONCE = 8;

/** Fetches what is not on this host yet, a few at a time. */
export async function localFiles<T extends { path: string }>(
  objects: ObjectStore,
  rows: readonly T[],
): Promise<T[]> {
  const files: T[] = [];
  for (let offset = 0; offset < rows.length; offset += FETCHES_AT_ONCE) {
    const part = rows.slice(offset, offset + FETCHES_AT_ONCE);
    files.push(
      ...(await Promise.all(
        part.map(async (row) => ({ ...row, path: await objects.localPath(row.path) })),
      )),
    );
  }
  return files;
}

export type CataloguePart = { rows: SourceRow[]; lateLinks: PersonAlias[]; erased: string[] };

/** The catalogue's part of a query; `db` is a snapshot when other reads have to agree with it. */
export async function readCatalogue(db: Db, window: SourceWindow): Promise<CataloguePart> {
  const rows = await sourceFiles(db, window);
  const oldestSeq = rows.reduce(
    (min, row) => Math.min(min, row.peopleSeq),
    Number.MAX_SAFE_INTEGER,
  );
  const [lateLinks, erased] = await Promise.all([
    rows.length === 0 ? [] : linksAfter(db, window.appId, oldestSeq),
    pendingErasures(db, window.orgId, window.appId),
  ]);
  return { rows, lateLinks, erased };
}

/** What the catalogue holds of one app in a window of `occurred_at`; without the hot tail. */
export async function eventSources(
  deps: SourceDeps,
  window: SourceWindow,
  options: SourceOptions = {},
): Promise<EventSources> {
  const { sql, objects, clock } = deps;
  const { leaseSeconds } = options;
  // The lease first: a file retired between the two is then still kept.
  const leaseId = leaseSeconds ? await insertLease(sql, window.orgId, leaseSeconds) : null;
  const dataThrough = clock();
  const { rows, ...rest } = await inSnapshot(sql, (tx) => readCatalogue(tx, window));
  return { ...rest, files: await localFiles(objects, rows), leaseId, dataThrough };
}
