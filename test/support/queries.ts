import { afterAll } from 'bun:test';
import type { Deps } from '../../src/context.ts';
import { compactAll } from '../../src/event-store/compaction/loop.ts';
import { listSegments } from '../../src/event-store/log/segments.ts';
import { type CompactorDeps, openCompactor } from '../../src/event-store/parquet/compactor.ts';
import type { LakeQuestions } from '../../src/query/reading/lake/questions.ts';
import { startQueries } from '../../src/query/start.ts';
import { pause } from './pause.ts';

type OpenQueries = (deps: Deps) => Promise<{ queries: Deps['queries']; lake: LakeQuestions }>;
let openOthers: OpenQueries | null = null;

/** What suites that `load` loads ask instead of the service's own client. */
export async function withQueriesOf(open: OpenQueries, load: () => Promise<void>): Promise<void> {
  openOthers = open;
  try {
    await load();
  } finally {
    openOthers = null;
  }
}

/** Answers the service's questions from this process; the socket is that of the suite's folder. */
export async function startTestQueries(deps: Deps): Promise<void> {
  const others = await openOthers?.(deps);
  const server = await startQueries(deps, 0, others?.lake);
  afterAll(() => server.stop());
  if (others) deps.queries = others.queries;
}

/** Turns everything taken so far into Parquet, as the compactor does once segments are sealed. */
export async function compactEverything(deps: CompactorDeps): Promise<void> {
  const compaction = await openCompactor(deps);
  const listed = await listSegments(compaction.logDir);
  // An empty one is open and stays so until something is written to it.
  const taken = listed
    .filter(({ path }) => Bun.file(path).size > 0)
    .map(({ segmentId }) => segmentId);
  const isLeft = async () =>
    (await listSegments(compaction.logDir)).some(({ segmentId }) => taken.includes(segmentId));
  while (await isLeft()) {
    await compactAll(compaction);
    // A segment is sealed when it is a second old.
    await pause(50, 'before the next look');
  }
}
