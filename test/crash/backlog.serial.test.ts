import { expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { listSegments } from '../../src/modules/events/log/segments.ts';
import { fillLog, wideBatch } from '../support/event-backlog.ts';
import { killableProcess } from '../support/event-processes.ts';
import { temporaryFolder } from '../support/events.ts';
import { until } from '../support/instance.ts';
import { residentMb } from '../support/memory.ts';
import { testDatabase } from '../support/postgres.ts';
import { isFullRun } from '../support/random.ts';

const EVENTS = isFullRun ? 5_000_000 : 200_000;
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

/** Lets a compactor work off what is in the log; returns its peak of resident memory and its log. */
async function compactBacklog(): Promise<{ peakMb: number; errors: string }> {
  const compactor = await killableProcess('compactor', {
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    LOG_LEVEL: 'warn',
    LOG_FORMAT: 'json',
  });
  try {
    await until(async () => (await listSegments(logDir)).length === 0);
    return { peakMb: residentMb(compactor.pid(), 'VmHWM'), errors: compactor.output() };
  } finally {
    await compactor.kill('SIGKILL');
  }
}

test(
  `a backlog of ${EVENTS} events is compacted whole in less than ${MOST_MB} MB`,
  async () => {
    const before = await storedEvents();
    await fillLog(logDir, EVENTS);
    const { peakMb } = await compactBacklog();
    expect(await storedEvents()).toBe(before + EVENTS);
    expect(peakMb).toBeLessThan(MOST_MB);
    console.log(`  peak resident memory of the compactor: ${Math.round(peakMb)} MB`);
  },
  isFullRun ? 900_000 : 240_000,
);

test(`so is one of ${WIDE_EVENTS} events of 3 KB, without one complaint`, async () => {
  const before = await storedEvents();
  await fillLog(logDir, WIDE_EVENTS, wideBatch);
  const { peakMb, errors } = await compactBacklog();
  expect(await storedEvents()).toBe(before + WIDE_EVENTS);
  expect(errors).not.toContain('put together');
  expect(peakMb).toBeLessThan(MOST_MB);
}, 240_000);
