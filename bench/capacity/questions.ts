import { QueryEngine } from '../../src/query/engine.ts';
import { answerHere } from '../../src/query/server.ts';
import { openDuck } from '../../src/storage/duckdb.ts';
import { benchQuestion } from '../funnel/question.ts';
import { benchEvents } from '../support/event-files.ts';

const EVENTS = process.argv.includes('--quick') ? 1_000_000 : 10_000_000;
const ROUNDS = 5;

/** Seconds of processor for a funnel of five steps over ten million events, once its files are known. */
export async function questionSeconds(databaseUrl: string, dataDir: string): Promise<number> {
  const duck = await openDuck({
    memoryMb: 4_096,
    threads: 2,
    tempDir: `${dataDir}/tmp`,
    tempLimitMb: 1_000,
  });
  const events = await benchEvents(databaseUrl, dataDir, EVENTS);
  const engine = new QueryEngine({
    duck,
    hot: events.hot,
    timeoutMs: 60_000,
    onStuck: () => process.exit(1),
  });
  const ask = () => answerHere(engine, 'funnel', benchQuestion(events.appId, events.startMs));
  await ask();
  const before = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round += 1) await ask();
  const { user, system } = process.cpuUsage(before);
  await events.close();
  return ((user + system) / 1e6 / ROUNDS) * (10_000_000 / EVENTS);
}
