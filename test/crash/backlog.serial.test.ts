import { afterAll, expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { listSegments } from '../../src/modules/events/log/segments.ts';
import { fillLog } from '../support/event-backlog.ts';
import { killableProcess } from '../support/event-processes.ts';
import { temporaryFolder } from '../support/events.ts';
import { until } from '../support/instance.ts';
import { residentMb } from '../support/memory.ts';
import { testDatabase } from '../support/postgres.ts';
import { isFullRun } from '../support/random.ts';

const EVENTS = isFullRun ? 5_000_000 : 200_000;
const MOST_MB = 1_024;

const database = await testDatabase();
const dataDir = temporaryFolder('backlog');
const logDir = join(dataDir, 'log');
mkdirSync(logDir);

test(
  `a backlog of ${EVENTS} events is compacted whole in less than ${MOST_MB} MB`,
  async () => {
    await fillLog(logDir, EVENTS);
    const compactor = await killableProcess('compactor', {
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      LOG_LEVEL: 'warn',
      LOG_FORMAT: 'json',
    });
    afterAll(() => compactor.kill('SIGKILL'));
    await until(async () => (await listSegments(logDir)).length === 0);
    const peakMb = residentMb(compactor.pid(), 'VmHWM');
    const [stored] = await database.sql`
      SELECT sum(rows)::int AS rows FROM event_files WHERE state = 'live'`;
    expect(stored?.rows).toBe(EVENTS);
    expect(peakMb).toBeLessThan(MOST_MB);
    console.log(`  peak resident memory of the compactor: ${Math.round(peakMb)} MB`);
  },
  isFullRun ? 900_000 : 240_000,
);
