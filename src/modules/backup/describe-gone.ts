import type { Sql } from '../../storage/postgres.ts';
import { selectGone } from './gone-queries.ts';

/** Beside the backups: none of them can hold it. */
export const GONE = 'gone.json';

export const describeGone = async (sql: Sql): Promise<string> =>
  `${JSON.stringify({ format: 1, ...(await selectGone(sql)) })}\n`;
