import { type Db, type Fragment, toColumn, toColumns, done } from './postgres.ts';

/** In case Temporal has lost one; shorter than a schedule's catch-up window. */
const ENSURED_AGAIN_HOURS = 2;

export const markEnsured =
  <Key extends string>(table: string, ...keys: readonly Key[]) =>
  async (db: Db, rows: readonly Readonly<Record<Key, string>>[]): Promise<void> => {
    await db`
      UPDATE ${db(table)} AS t SET run_ensured_at = now()
      FROM jsonb_array_elements(${JSON.stringify(rows)}::text::jsonb) AS ensured
      WHERE true ${keys.map(
        (key) => db`AND t.${db(toColumn(key))}::text = ensured ->> ${key}::text`,
      )}`;
  };

export const ensureAgain = (db: Db, table: string, where: Fragment) =>
  done(db`
    UPDATE ${db(table)} SET run_ensured_at = NULL
    WHERE run_ensured_at < now() - make_interval(hours => ${ENSURED_AGAIN_HOURS}) AND ${where}`);

export type Wanted = { orgId: string; isWanted: boolean; updatedAt: string };
export type WantedSchedules<Row extends Wanted> = ReturnType<typeof wantedSchedules<Row>>;

type WantedTable = {
  table: string;
  /** Whether one is wanted at all. */
  isOn?: string;
  time?: readonly string[];
};

/** A schedule for each organization with a row. */
export function wantedSchedules<Row extends Wanted>({ table, isOn, time = [] }: WantedTable) {
  const isWanted = (db: Db) => (isOn === undefined ? db`true` : db`${db(isOn)}`);
  return {
    select: (db: Db, limit: number): Promise<Row[]> => db<Row[]>`
      SELECT org_id AS "orgId", ${isWanted(db)} AS "isWanted",
        ${time.length === 0 ? db`` : db`${db([...time])},`} updated_at::text AS "updatedAt"
      FROM ${db(table)} WHERE run_ensured_at IS NULL ORDER BY updated_at LIMIT ${limit}`,
    markEnsured: markEnsured(table, 'orgId', 'updatedAt'),
    ensureAgain: (db: Db): Promise<void> => ensureAgain(db, table, isWanted(db)),
  };
}

/** Its schedule follows. */
export async function saveWanted(
  db: Db,
  table: string,
  settings: { orgId: string; updatedAt: Date },
): Promise<void> {
  const row = db(toColumns(settings));
  await db`
    INSERT INTO ${db(table)} ${row}
    ON CONFLICT (org_id) DO UPDATE SET ${row}, run_ensured_at = NULL`;
}
