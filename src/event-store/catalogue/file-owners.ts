import { LRUCache } from 'lru-cache';
import type { AppScope } from '../../shared/app.ts';
import type { Sql } from '../../storage/postgres.ts';
import { holdsOnly, parseFileStats } from '../file/file-stats.ts';
import { type SourceFile, statsOfFiles } from './sources-queries.ts';

const MAX_KNOWN = 100_000;

type CheckedFile = Pick<SourceFile, 'counts' | 'level' | 'path' | 'projection'>;

/** Single-app files need no `app_id` filter, up to half of a scan. */
export class FileOwners {
  readonly #known = new LRUCache<string, boolean>({ max: MAX_KNOWN });

  constructor(private readonly sql: Sql) {}

  /** Trusts the catalogue where statistics are missing (earlier releases). */
  async settle<T extends CheckedFile>(scope: AppScope, files: readonly T[]): Promise<T[]> {
    const keyOf = ({ path }: CheckedFile) => `${scope.orgId} ${scope.appId} ${path}`;
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
