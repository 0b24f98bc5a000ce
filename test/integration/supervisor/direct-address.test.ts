import { afterAll, expect, test } from 'bun:test';
import { loadConfig } from '../../../src/config.ts';
import { freePort } from '../../../src/launcher/embedded/ports.ts';
import { Supervisor } from '../../../src/launcher/supervise.ts';
import { createLogger } from '../../../src/observability/log.ts';
import { isSameDatabase } from '../../../src/storage/pooler.ts';
import { newDataDir } from '../../support/instance.ts';
import { testDatabase } from '../../support/postgres.ts';

const [pooled, other] = [await testDatabase(), await testDatabase()];

test('a lock says whether two addresses lead to one database', async () => {
  expect(await isSameDatabase(pooled.sql, pooled.sql)).toBe(true);
  expect(await isSameDatabase(pooled.sql, other.sql)).toBe(false);
  expect(await isSameDatabase(pooled.sql, pooled.sql)).toBe(true);
});

test('a start whose direct address leads to another database is refused', async () => {
  const config = loadConfig({
    DATABASE_URL: pooled.url,
    DATABASE_DIRECT_URL: other.directUrl,
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    DATA_DIR: newDataDir(),
    PORT: String(await freePort()),
    LOG_LEVEL: 'fatal',
  });
  const supervisor = new Supervisor({
    config,
    log: createLogger(config, 'supervisor'),
    findCli: () => Promise.reject(new Error('There is one.')),
  });
  afterAll(() => supervisor.stop());
  await expect(supervisor.start()).rejects.toThrow('lead to different databases');
});
