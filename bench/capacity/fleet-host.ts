import {
  advanceCatalogue,
  catalogued,
  insertFile,
  insertRun,
  insertSegments,
  liveRuns,
  lockCatalogue,
  readSeq,
  retireFiles,
  retireRuns,
} from '../../src/event-store/catalogue/queries.ts';
import { hourNumber } from '../../src/event-store/dedup/sections.ts';
import type { NewEventFile, NewKeyRun } from '../../src/event-store/file/event-file.ts';
import { listHosts, noteCompactor, noteOwners } from '../../src/event-store/hosts/queries.ts';
import { addIngestion } from '../../src/event-store/intake/queries.ts';
import { eventFileName, keyRunName } from '../../src/event-store/objects/names.ts';
import { deletedApps, erasedHashes, findAliases } from '../../src/event-store/people/queries.ts';
import { newId } from '../../src/shared/ids.ts';
import { HOUR_MS } from '../../src/shared/time.ts';
import { withLock } from '../../src/storage/locks.ts';
import type { Sql, Tx } from '../../src/storage/postgres.ts';

/** Events of 2 s at 2,000 a second, and the people that sent them. */
const EVENTS = 4_000;
const PEOPLE = 200;
const APPS = 20;
const BYTES_AN_EVENT = 25;
/** Small files and runs that wait for their merge. */
const FEW = 16;

const appIds = Array.from({ length: APPS }, (_, n) => `app_fleet_${n}`);
const ORG = 'org_fleet';

function newFile(at: Date): NewEventFile {
  const fileId = newId('fil');
  const [min, max] = [new Date(at.getTime() - 2_000), at];
  return {
    ...{ fileId, orgId: null, appId: null, level: 0, format: 3, day: null },
    path: eventFileName(fileId, 0, at),
    ...{ rows: EVENTS, bytes: EVENTS * BYTES_AN_EVENT, propsBytes: EVENTS * 50 },
    ...{ minOccurredAt: min, maxOccurredAt: max, minReceivedAt: min, maxReceivedAt: max },
    stats: {},
    ...{ projection: null, projectionBytes: null, projectionFormat: 0 },
    apps: appIds.map((appId, n) => ({
      ...{ appId, orgId: ORG, firstRow: (n * EVENTS) / APPS, rows: EVENTS / APPS },
      ...{ minOccurredAt: min, maxOccurredAt: max, developmentRows: 0, counts: null },
    })),
  };
}

function newRun(at: Date): NewKeyRun {
  const runId = newId('run');
  const ms = at.getTime();
  const hour = hourNumber(ms);
  const received = { minReceivedMs: ms - 2_000, maxReceivedMs: ms };
  return {
    ...{ runId, path: keyRunName(runId, at), keys: EVENTS, settled: false, importId: null },
    ...{ minReceivedAt: new Date(ms - 2_000), maxReceivedAt: at },
    sections: [{ of: 'sent', fromHour: hour, toHour: hour + 1, keys: EVENTS, ...received }],
  };
}

const none = { accepted: 0, duplicates: 0, corrected: 0 };

const countsOf = (at: Date) =>
  appIds.map((appId) => ({
    ...{ appId, orgId: ORG, hourMs: hourNumber(at.getTime()) * HOUR_MS },
    ...{ accepted: EVENTS / APPS, duplicates: 0, shifted: 0, withoutTs: 0, tooOld: 0 },
    development: none,
  }));

/** As the compactor's own lookups before it writes a file. */
async function lookUp(sql: Sql, segmentIds: readonly string[]): Promise<void> {
  const people = Array.from({ length: PEOPLE }, (_, n) => ({
    appId: appIds[n % APPS] ?? '',
    id: crypto.randomUUID(),
  }));
  await catalogued(sql, segmentIds);
  await readSeq(sql);
  await Promise.all([
    liveRuns(sql),
    findAliases(sql, people),
    erasedHashes(sql, appIds),
    deletedApps(sql, appIds),
  ]);
  await readSeq(sql);
}

async function insertAll(tx: Tx, segmentIds: readonly string[], at: Date): Promise<void> {
  const current = await lockCatalogue(tx);
  await catalogued(tx, segmentIds);
  const next = await advanceCatalogue(tx);
  await insertSegments(tx, segmentIds, next);
  await insertFile(tx, newFile(at), current);
  await insertRun(tx, newRun(at), next);
  await addIngestion(tx, countsOf(at));
}

/** What the merges of small files leave in the catalogue, without the files. */
function tidy(sql: Sql): Promise<unknown> {
  return withLock(sql, 'compaction', () =>
    sql.begin(async (tx) => {
      await lockCatalogue(tx);
      const files = await tx<{ id: string }[]>`
        SELECT file_id AS id FROM event_files WHERE state = 'live' AND level = 0`;
      const at = new Date();
      if (files.length > FEW) {
        await retireFiles(
          tx,
          files.map(({ id }) => id),
        );
        await insertFile(tx, newFile(at), 1);
      }
      const runs = await liveRuns(tx);
      if (runs.length > FEW) {
        await retireRuns(
          tx,
          runs.map(({ runId }) => runId),
        );
        await insertRun(tx, newRun(at), Math.max(...runs.map(({ seq }) => seq)));
      }
    }),
  );
}

/** The catalogue's share of a compaction, by the service's own statements. */
export async function commitOnce(sql: Sql, segmentIds: readonly string[]): Promise<void> {
  await lookUp(sql, segmentIds);
  await sql.begin((tx) => insertAll(tx, segmentIds, new Date()));
  await tidy(sql);
}

export const beatOnce = (sql: Sql, ownerId: string) => noteOwners(sql, [ownerId], new Date());

export async function lookAround(sql: Sql, ownerId: string): Promise<void> {
  await noteCompactor(sql, ownerId, { alive: [ownerId], dead: [] });
  await listHosts(sql, ownerId);
}

/** The probe of each of the four processes, and a worker that asks whether it is its turn. */
export async function probeOnce(sql: Sql): Promise<void> {
  for (let n = 0; n < 4; n += 1) await sql`SELECT 1`;
  await withLock(sql, 'missingRuns', async () => undefined);
}
