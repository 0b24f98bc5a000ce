import { utimesSync } from 'node:fs';
import { liveFilesOfApp } from '../../src/event-store/catalogue/queries.ts';
import { HotEvents } from '../../src/event-store/hot/hot-events.ts';
import { openFrom } from '../../src/event-store/projections.ts';
import { readSums } from '../../src/event-store/sums/blocks.ts';
import { checkedObjectStore } from '../../src/event-store/sums/checked-store.ts';
import { insertSums } from '../../src/event-store/sums/queries.ts';
import { QueryEngine } from '../../src/query/engine.ts';
import { systemClock } from '../../src/shared/time.ts';
import type { ObjectStore } from '../../src/storage/object-store/port.ts';
import type { BenchEvents } from '../support/event-files.ts';
import { median, print, printRatio } from '../support/report.ts';
import { type Asked, questionsOf } from './questions.ts';

/** Also as if no file had a projection. */
const BARE = process.argv.includes('--bare');

export type EngineOptions = Omit<ConstructorParameters<typeof QueryEngine>[0], 'hot'>;
type Hot = Pick<HotEvents, 'snapshot'>;

export const withoutProjections = (hot: Hot): Hot => ({
  snapshot: async (...asked) => {
    const snapshot = await hot.snapshot(...asked);
    return { ...snapshot, files: snapshot.files.map((file) => ({ ...file, projection: null })) };
  },
});

async function processorMs(work: () => Promise<unknown>): Promise<number> {
  Bun.gc(true);
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

type Turn = { plain: number[]; checked: number[] };

function printTurn(label: string, { plain, checked }: Turn): void {
  const more = median(checked.map((ms, round) => ms - (plain[round] ?? Number.NaN)));
  const without = median(plain);
  print({ label: `${label}: processor, without checks`, value: `${without.toFixed(0)} ms` });
  printRatio('  with checks / without', 1 + more / without, '≤ 1.05');
}

/** Another time of change: a process has not looked at them since. */
function renewProjections(projections: readonly { path: string; columns?: readonly string[] }[]) {
  const now = new Date();
  for (const { path, columns = [] } of projections) {
    for (const file of [path, ...columns]) utimesSync(file, now, now);
  }
}

/** Processor time where every file is read for the first time, and again, in turns. */
export async function compareChecks(
  { sql, objects, hot, logDir, ...events }: BenchEvents,
  {
    options,
    rounds,
    isWanted,
  }: { options: EngineOptions; rounds: number; isWanted: (asked: Asked) => boolean },
): Promise<void> {
  for (const { path } of await liveFilesOfApp(sql, events.appId)) {
    await insertSums(sql, path, await readSums(await objects.localPath(path)));
  }
  const window = { ...events, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER / 1_000 };
  const { files } = await hot.snapshot({ ...window, withProjections: true });
  const projections = files.flatMap(({ projection }) =>
    projection && 'path' in projection.origin ? [projection.origin] : [],
  );
  const log = { error: console.error };
  const stores: Record<keyof Turn, () => ObjectStore> = {
    plain: () => objects,
    checked: () => checkedObjectStore({ objects, sql, log }),
  };
  const ways = {
    '': (one: Hot) => one,
    ...(BARE && { ', without projections': withoutProjections }),
  };
  for (const { label, ask } of questionsOf(events).filter(isWanted)) {
    for (const [way, over] of Object.entries(ways)) {
      const first: Turn = { plain: [], checked: [] };
      const again: Turn = { plain: [], checked: [] };
      for (let round = 0; round <= rounds; round += 1) {
        const turns =
          round % 2 === 0 ? (['plain', 'checked'] as const) : (['checked', 'plain'] as const);
        for (const turn of turns) {
          const fresh = new HotEvents({ sql, objects: stores[turn](), clock: systemClock }, logDir);
          const engine = new QueryEngine({ ...options, hot: over(fresh) });
          renewProjections(projections);
          const once = await processorMs(async () => {
            if (turn === 'plain') for (const origin of projections) openFrom(origin);
            await ask(engine);
          });
          const twice = await processorMs(() => ask(engine));
          if (round === 0) continue;
          first[turn].push(once);
          again[turn].push(twice);
        }
      }
      printTurn(`${label}${way}: first`, first);
      printTurn(`${label}${way}: again`, again);
    }
  }
}
