import type { FunnelAnswer, FunnelQuestion } from '../../../src/query/funnel/model.ts';
import { QUESTIONS } from '../../../src/query/kinds.ts';
import type { LakeSnapshot } from '../../../src/query/reading/source/lake.ts';
import { countInLake } from '../../../src/query/reading/lake/questions.ts';
import { trinoEngine } from '../../../src/query/reading/lake/trino.ts';
import { must } from '../../../src/shared/assert.ts';
import { DAY_MS } from '../../../src/shared/time.ts';
import type { Sql } from '../../../src/storage/postgres.ts';
import type { TrinoInstall } from './trino-install.ts';
import { startTrino } from './trino-server.ts';

/** What a worker read of a question. */
export type Share = { bytes: number; rows: number };

const UNITS = new Map(['B', 'kB', 'MB', 'GB', 'TB'].map((unit, index) => [unit, 1_024 ** index]));

function bytesOf(text: string): number {
  const [, number, unit = ''] = /^([\d.]+)([kMGT]?B)$/.exec(text) ?? [];
  return Number(number) * must(UNITS.get(unit), text);
}

type Task = { nodeId: string; stats: any };

/** Every task of the query, wherever in Trino's account of it they stand. */
function tasksOf(account: unknown): Task[] {
  if (typeof account !== 'object' || account === null) return [];
  const { taskStatus, stats } = account as Record<string, any>;
  if (taskStatus?.nodeId && stats) return [{ nodeId: taskStatus.nodeId, stats }];
  return Object.values(account).flatMap(tasksOf);
}

function sharesOf(account: unknown): Share[] {
  const read = tasksOf(account).filter(({ stats }) => stats.physicalInputPositions > 0);
  const sum = (tasks: Task[], of: (stats: any) => number) =>
    tasks.reduce((total, { stats }) => total + of(stats), 0);
  return [...Map.groupBy(read, ({ nodeId }) => nodeId).values()].map((tasks) => ({
    bytes: sum(tasks, ({ physicalInputDataSize }) => bytesOf(physicalInputDataSize)),
    rows: sum(tasks, ({ physicalInputPositions }) => physicalInputPositions),
  }));
}

/** Five steps of a month, within seven days. */
export const workersQuestion = (
  owner: { orgId: string; appId: string },
  startMs: number,
): FunnelQuestion => ({
  ...{ ...owner, filters: {}, breakdown: null, trendFromUs: null, windowUs: 7 * DAY_MS * 1_000 },
  steps: [1, 2, 3, 4, 5].map((step) => ({ event: `step_${step}` })),
  fromUs: startMs * 1_000,
  startBeforeUs: (startMs + 31 * DAY_MS) * 1_000,
});

export type Measured = {
  answer: FunnelAnswer;
  /** Of each round, after one that warmed up. */
  ms: number[];
  /** Of the last round, by worker. */
  shares: Share[];
  /** How often a row of each file was read by a question that reads every row. */
  rowsByFile: Map<string, number>;
};

export type Asked = {
  catalog: Record<string, string>;
  snapshot: LakeSnapshot;
  question: FunnelQuestion;
};

/** Asks so many workers, each on a processor of its own. */
export async function measureWorkers(
  install: TrinoInstall,
  { catalog, snapshot, question }: Asked,
  { workers, rounds, heapMb }: { workers: number; rounds: number; heapMb?: number },
): Promise<Measured> {
  const trino = await startTrino(install, {
    ...{ catalog, workers, pinned: true },
    ...(heapMb !== undefined && { heapMb }),
  });
  const headers = { 'x-trino-user': 'test' };
  const json = async (path: string) =>
    (await (await fetch(`${trino.url}${path}`, { headers })).json()) as any;
  const engine = trinoEngine(
    { baseUrl: trino.url, user: 'test', password: undefined, catalog: 'lake', schema: 'main' },
    { timeoutMs: 600_000, maxRows: 100_000, maxBytes: 10_000_000 },
  );
  const run = (text: string) => engine.run(text, new AbortController().signal);
  try {
    const count = () => countInLake({ snapshot, rows: run }, QUESTIONS.funnel, question);
    let answer = await count();
    const ms: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const startedAt = performance.now();
      answer = await count();
      ms.push(Math.round(performance.now() - startedAt));
    }
    const listed = (await json('/v1/query')) as { queryId: string }[];
    const lastId = listed
      .map(({ queryId }) => queryId)
      .toSorted()
      .at(-1);
    const shares = sharesOf(await json(`/v1/query/${lastId}`));
    const counted = await run(`SELECT "$path", count(occurred_at)
      FROM events FOR VERSION AS OF BIGINT '${snapshot.events}' GROUP BY 1`);
    const rowsByFile = new Map(counted.map(([path, rows]) => [String(path), Number(rows)]));
    return { answer, ms, shares, rowsByFile };
  } finally {
    await trino.stop();
  }
}

/** What the files have by the catalogue, under the names that Trino knows them by. */
export async function rowsInCatalogue(sql: Sql, eventsUrl: string): Promise<Map<string, number>> {
  const rows = await sql<{ path: string; rows: number }[]>`
    SELECT path, rows::int AS rows FROM event_files WHERE state = 'live'`;
  return new Map(rows.map((file) => [`${eventsUrl}/${file.path}`, file.rows]));
}
