import { expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { listSegments } from '../../src/event-store/log/segments.ts';
import { fillLog, wideBatch } from '../support/event-backlog.ts';
import { killableProcess } from '../support/event-processes.ts';
import { temporaryFolder } from '../support/events.ts';
import { residentMb } from '../support/memory.ts';
import { testDatabase } from '../support/postgres.ts';
import { isFullRun } from '../support/random.ts';
import { until } from '../support/until.ts';

const EVENTS = isFullRun ? 5_000_000 : 100_000;
const MOST_MB = 1_024;

/** Sorted eight files at a time, these took more memory than the compactor has. */
const WIDE_EVENTS = 130_000;

const database = await testDatabase();
const dataDir = temporaryFolder('backlog');
const logDir = join(dataDir, 'log');
mkdirSync(logDir);

async function storedEvents(): Promise<number> {
  const [row] = await database.sql`
    SELECT coalesce(sum(rows), 0)::int AS rows FROM event_files WHERE state = 'live'`;
  return row?.rows;
}

/** Lets a compactor work off so many events, in bounds; returns what it logged. */
async function expectCompacted(events: number, batchOf?: typeof wideBatch): Promise<string> {
  const before = await storedEvents();
  await fillLog(logDir, events, batchOf);
  const compactor = await killableProcess('compactor', {
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    LOG_LEVEL: 'warn',
    LOG_FORMAT: 'json',
  });
  try {
    await until(
      '(await listSegments(logDir)).length === 0',
      async () => (await listSegments(logDir)).length === 0,
    );
    const peakMb = residentMb(compactor.pid(), 'VmHWM');
    expect(await storedEvents()).toBe(before + events);
    expect(peakMb).toBeLessThan(MOST_MB);
    console.log(`  peak resident memory of the compactor: ${Math.round(peakMb)} MB`);
    return compactor.output();
  } finally {
    await compactor.kill('SIGKILL');
  }
}

test(`a backlog of ${EVENTS} events is compacted whole in less than ${MOST_MB} MB`, async () => {
  await expectCompacted(EVENTS);
});

test(`so is one of ${WIDE_EVENTS} events of 3 KB, without one complaint`, async () => {
  expect(await expectCompacted(WIDE_EVENTS, wideBatch)).not.toContain('put together');
});
