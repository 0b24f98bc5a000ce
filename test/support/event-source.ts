import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import {
  EVENT_COLUMN_NAMES,
  EVENT_FILE_FORMAT,
  EVENT_ORDER_SQL,
  type EventRow,
  FILE_COLUMNS_SQL,
} from '../../src/event-store/event/columns.ts';
import { countValues } from '../../src/event-store/parquet/count-values.ts';
import { loadRows } from '../../src/event-store/parquet/load-rows.ts';
import { openFrom } from '../../src/event-store/projection/open.ts';
import { buildSql, PROJECTED_COLUMNS } from '../../src/event-store/projection/project.ts';
import {
  type AnswerOf,
  QUESTIONS,
  type QueryKind,
  type QuestionOf,
} from '../../src/query/kinds.ts';
import { findMembers } from '../../src/query/memberships.ts';
import { loadTables } from '../../src/query/reading/duckdb/tables.ts';
import type { QueryRun } from '../../src/query/reading/run.ts';
import {
  type EventFile,
  type EventSource,
  selectEvents,
} from '../../src/query/reading/source/events.ts';
import type { CountingThreads } from '../../src/query/reading/threads/threads.ts';
import { listTraits } from '../../src/query/selection/dimension.ts';
import type { AppSelection } from '../../src/query/selection/selection.ts';
import { loadTraits } from '../../src/query/traits.ts';
import { openDuck } from '../../src/storage/duckdb.ts';

export const ORG = 'org_test';
export const APP = 'app_test';

/** An event row with everything that a test does not care about filled in. */
export function eventRow(row: Partial<EventRow> & { name: string }): EventRow {
  const anonymousId = row.anonymousId ?? row.personId ?? 'anonymous';
  return {
    orgId: ORG,
    appId: APP,
    key: null,
    occurredAtUs: 0,
    receivedAtUs: row.occurredAtUs ?? 0,
    arrival: 0,
    batchIndex: 0,
    anonymousId,
    personId: row.userId ?? anonymousId,
    userId: null,
    sessionId: null,
    clientTs: null,
    timeFlag: null,
    platform: null,
    appVersion: null,
    osVersion: null,
    locale: null,
    country: null,
    props: null,
    eventId: null,
    environment: 'production',
    ...row,
  };
}

/** As the query process reads a question whose tables are loaded. */
export const runOver = (
  connection: DuckDBConnection,
  source: EventSource,
  selection: AppSelection,
  threads: CountingThreads | null = null,
): QueryRun => ({
  ...selectEvents(source, selection),
  ...{ connection, threads },
  load: async () => undefined,
  checkTime: () => undefined,
});

const ALL = { columns: EVENT_COLUMN_NAMES };
/** Where members were found since, of which tables have less. */
const partlyLoaded = new WeakSet<DuckDBConnection>();

/** What a question counts over a source. */
export async function countOver<K extends QueryKind>(
  connection: DuckDBConnection,
  source: EventSource,
  kind: K,
  question: QuestionOf<K>,
  threads: CountingThreads | null = null,
): Promise<AnswerOf<K>> {
  const { selection, needs, count } = QUESTIONS[kind];
  const counted = await count();
  const run = runOver(connection, source, selection(question), threads);
  const { memberships = [] } = question;
  const traits = listTraits(question);
  if (memberships.length + traits.length === 0) {
    if (partlyLoaded.delete(connection)) await loadTables(connection, source, ALL);
    return counted(run, question);
  }
  const sources = { ofMembers: source, ofQuestion: source };
  const finding = { connection, threads, checkTime: run.checkTime };
  if (memberships.length > 0) partlyLoaded.add(connection);
  const found = await findMembers(finding, sources, memberships);
  let loaded: Promise<void> | null = null;
  const loadAll = async () => {
    await found.load();
    await loadTraits(connection, source, traits);
    await loadTables(connection, source, ALL);
    partlyLoaded.delete(connection);
  };
  const load = () => {
    loaded ??= loadAll();
    return loaded;
  };
  if (!needs(question).projections) await load();
  return counted({ ...run, load, members: found.members }, question);
}

/** A DuckDB and a folder for one suite. */
export class TestDuck {
  /** Properties that files of one app get columns of. */
  asked: readonly string[] = [];
  readonly dir = mkdtempSync(join(tmpdir(), 'cp-duck-'));
  #files = 0;

  private constructor(readonly duck: DuckDBInstance) {}

  static async open(): Promise<TestDuck> {
    const tempDir = mkdtempSync(join(tmpdir(), 'cp-duck-temp-'));
    const options = { memoryMb: 1_024, threads: 2, tempDir, tempLimitMb: 1_024 };
    return new TestDuck(await openDuck(options));
  }

  /**
   * As the service writes them: of level 1 with the counts of its values and its projection. Format 1 is what earlier
   * releases wrote.
   */
  async writeFile(
    rows: readonly EventRow[],
    { level = 0, format = EVENT_FILE_FORMAT } = {},
  ): Promise<EventFile> {
    const connection = await this.duck.connect();
    this.#files += 1;
    const path = join(this.dir, `${this.#files}.parquet`);
    await loadRows(connection, 'batch', rows);
    const missing = [
      ...(format < 3 ? ['environment'] : []),
      ...(format < 2 ? ['person_key', 'is_anonymous'] : []),
    ];
    const kept = missing.length === 0 ? '*' : `* EXCLUDE (${missing.join(', ')})`;
    await connection.run(
      `COPY (SELECT ${kept} FROM (SELECT ${FILE_COLUMNS_SQL} FROM batch) ORDER BY ${EVENT_ORDER_SQL}) TO '${path}' (FORMAT parquet)`,
    );
    const counts = level === 0 ? null : await countValues(connection, 'batch', rows.length);
    const built =
      level === 0 || format < EVENT_FILE_FORMAT
        ? null
        : await buildSql(
            connection,
            `(SELECT ${PROJECTED_COLUMNS.join(', ')} FROM read_parquet('${path}'))`,
            { withProps: true, asked: this.asked },
          );
    const columns = (built?.columns ?? []).map((_, index) => `${path}.${index}.column`);
    if (built) await Bun.write(`${path}.projection`, built.bytes);
    for (const [index, column] of (built?.columns ?? []).entries()) {
      await Bun.write(`${path}.${index}.column`, column);
    }
    connection.closeSync();
    const times = rows.map((row) => row.occurredAtUs / 1_000);
    return {
      path,
      level,
      format,
      rows: rows.length,
      projection: built && openFrom({ path: `${path}.projection`, columns }),
      minOccurredAt: new Date(Math.floor(Math.min(...times))),
      maxOccurredAt: new Date(Math.floor(Math.max(...times)) + 1),
      developmentRows: rows.filter((row) => row.environment === 'development').length,
      counts,
    };
  }

  /** Runs `use` on a connection with the source's tables loaded, as the query process does. */
  async query<T>(
    source: Partial<EventSource>,
    use: (connection: DuckDBConnection, source: EventSource) => Promise<T>,
  ): Promise<T> {
    const whole: EventSource = {
      orgId: ORG,
      appId: APP,
      environment: 'production',
      files: [],
      hotRows: [],
      lateAliases: [],
      sharesIds: false,
      erased: [],
      dataThroughMs: 0,
      ...source,
    };
    const connection = await this.duck.connect();
    try {
      await loadTables(connection, whole, { columns: EVENT_COLUMN_NAMES });
      return await use(connection, whole);
    } finally {
      connection.closeSync();
    }
  }

  close(): void {
    this.duck.closeSync();
    rmSync(this.dir, { recursive: true, force: true });
  }
}
