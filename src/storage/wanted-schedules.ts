import type { Db, Fragment } from './postgres.ts';

export type Wanted = { orgId: string; updatedAt: string };

type WantedTable = {
  table: string;
  /** What the schedule depends on, besides the organization. */
  columns?: (db: Db) => Fragment;
  /** Column that says whether a schedule is wanted at all. */
  isOn?: string;
};

/** In case Temporal has lost a schedule; shorter than a schedule's catch-up window. */
const ENSURED_AGAIN_HOURS = 2;

export const wantedSchedules = <Row extends Wanted>({ table, columns, isOn }: WantedTable) => ({
  select: (db: Db, limit: number): Promise<Row[]> => db<Row[]>`
    SELECT org_id AS "orgId", ${columns ? db`${columns(db)},` : db``}
      updated_at::text AS "updatedAt"
    FROM ${db(table)} WHERE run_ensured_at IS NULL ORDER BY updated_at LIMIT ${limit}`,

  markEnsured: async (db: Db, wanted: readonly Wanted[]): Promise<void> => {
    await db`
      UPDATE ${db(table)} AS s SET run_ensured_at = now()
      FROM unnest(${wanted.map(({ orgId }) => orgId)}::text[],
        ${wanted.map(({ updatedAt }) => updatedAt)}::text[]) AS ensured (org_id, updated_at)
      WHERE s.org_id = ensured.org_id AND s.updated_at::text = ensured.updated_at`;
  },

  ensureAgain: async (db: Db): Promise<void> => {
    await db`
      UPDATE ${db(table)} SET run_ensured_at = NULL
      WHERE run_ensured_at < now() - make_interval(hours => ${ENSURED_AGAIN_HOURS})
        ${isOn === undefined ? db`` : db`AND ${db(isOn)}`}`;
  },
});
