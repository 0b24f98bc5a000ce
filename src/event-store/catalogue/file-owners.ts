import { LRUCache } from 'lru-cache';
import type { AppScope } from '../../shared/app.ts';
import type { Sql } from '../../storage/postgres.ts';
import { holdsOnly, parseFileStats } from '../file/file-stats.ts';
import { statsOfFiles } from './owner-queries.ts';
import type { SourceFile } from './sources-queries.ts';

const MAX_KNOWN = 100_000;

type Owned = Pick<SourceFile, 'counts' | 'level' | 'path' | 'projection'>;

/**
 * Holds what the catalogue says of files against their own statistics. Of a file whose rows are all
 * one app's nobody need compare each with the app, which costs a scan up to a half of its time.
 */
export class FileOwners {
  /** Files never change, so that an answer stays true. */
  readonly #known = new LRUCache<string, boolean>({ max: MAX_KNOWN });

  constructor(private readonly sql: Sql) {}

  /**
   * The files as questions of this app may read them: one with other rows, whatever its level, as a
   * file of many apps, of which each row is compared. Of files of earlier releases that have no
   * statistics the catalogue decides.
   */
  async settle<T extends Owned>(scope: AppScope, files: readonly T[]): Promise<T[]> {
    const keyOf = ({ path }: Owned) => `${scope.orgId} ${scope.appId} ${path}`;
    const unknown = files.filter((file) => file.level > 0 && !this.#known.has(keyOf(file)));
    if (unknown.length > 0) {
      const paths = unknown.map(({ path }) => path);
      for (const { path, stats } of await statsOfFiles(this.sql, paths)) {
        const isOwn = holdsOnly(parseFileStats(stats), scope);
        this.#known.set(`${scope.orgId} ${scope.appId} ${path}`, isOwn);
      }
    }
    return files.map((file) =>
      file.level === 0 || this.#known.get(keyOf(file))
        ? file
        : { ...file, level: 0, counts: null, projection: null },
    );
  }
}
