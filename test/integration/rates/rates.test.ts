import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { importRates, importRatesFile } from '../../../src/modules/sales/rates/import.ts';
import { RatesFormatError } from '../../../src/modules/sales/rates/parse.ts';
import { refreshRates } from '../../../src/modules/sales/rates/refresh.ts';
import { createRateSource } from '../../../src/modules/sales/rates/source.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { ratesRefreshContract } from '../../../src/temporal/contracts/store.ts';
import { keepHistory } from '../../support/history.ts';
import { testDatabase } from '../../support/postgres.ts';
import { convertTo } from '../../support/reports.ts';
import { startTestService } from '../../support/service.ts';
import { testTemporal } from '../../support/temporal.ts';
import { startTestWorker } from '../../support/worker.ts';

const folder = mkdtempSync(join(tmpdir(), 'rates-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'eurofxref-hist.csv');
const temporal = await testTemporal();
const database = await testDatabase();
const { sql } = database;
let now = new Date('2026-09-10T18:00:00Z');
const service = await startTestService(database, {
  temporal,
  env: { FX_RATES_URL: `file://${path}` },
  with: () => ({ clock: () => now }),
});
await startTestWorker(service.deps, temporal);
const ctx = { deps: service.deps, requestId: 'test' };

const file = (text: string) => Buffer.from(text);
const take = (text: string) => importRates(service.deps, { file: file(text), source: 'test' });

describe('a fresh database', () => {
  test('takes no file before the snapshot, or all days before it had no rate', async () => {
    const other = await testDatabase();
    const ninety = join(folder, 'ninety-days.csv');
    await Bun.write(ninety, 'Date,USD,\n2026-09-09,1.1700,\n');
    const deps = { sql: other.sql, clock: () => now };
    await importRatesFile({ deps, requestId: 'test' }, { path: ninety });
    const table = await createRateSource(other.sql).load('2026-02-01', '2026-09-10');
    expect(convertTo(table, 'USD')('1', 'EUR', '2026-02-10')).toBeGreaterThan(0);
    expect(convertTo(table, 'USD')('1', 'EUR', '2026-09-09')).toBe(117);
  });

  test('gets the pinned snapshot when rates are first wanted, once', async () => {
    const source = createRateSource(sql);
    const [first, second] = await Promise.all([
      source.load('2026-07-01', '2026-07-21'),
      createRateSource(sql).load('2026-07-01', '2026-07-21'),
    ]);
    expect(convertTo(first, 'USD')('1', 'EUR', '2026-07-21')).toBe(114);
    expect(convertTo(second, 'USD')('1', 'EUR', '2026-07-21')).toBe(114);
    const imports = await sql`SELECT source, changed FROM exchange_rate_imports`;
    expect(imports).toHaveLength(1);
    expect(imports[0]?.source).toBe('pinned snapshot');
  });
});

describe('an import', () => {
  test('adds days and corrects others; what is equal keeps its revision', async () => {
    const source = createRateSource(sql);
    await source.load('2026-07-15', '2026-07-31');
    const revisionOf = async (day: string) =>
      (await sql`SELECT revision FROM exchange_rates WHERE day = ${day} AND currency = 'USD'`)[0]
        ?.revision;
    const before = await revisionOf('2026-07-21');
    const record = await take('Date,USD,\n2026-07-22,1.2000,\n2026-07-21,1.1418,\n');
    expect(record).toMatchObject({ changed: 1, firstDay: '2026-07-21', lastDay: '2026-07-22' });
    const after = await source.load('2026-07-15', '2026-07-31');
    expect(await revisionOf('2026-07-21')).toBe(before);
    expect(await revisionOf('2026-07-22')).toBe(record?.revision ?? 0);
    expect(convertTo(after, 'USD')('1', 'EUR', '2026-07-29')).toBe(120);
    expect(convertTo(after, 'USD')('1', 'EUR', '2026-07-30')).toBeNull();
  });

  test('of a broken file changes nothing', async () => {
    const [before] = await sql`SELECT count(*) AS rates FROM exchange_rates`;
    for (const text of ['Date,USD\n2026-07-23,1.1\n2026-07-24,x\n', '<html>', 'Date,USD\n']) {
      expect(take(text)).rejects.toBeInstanceOf(RatesFormatError);
    }
    const [after] = await sql`SELECT count(*) AS rates FROM exchange_rates`;
    expect(after).toEqual(before!);
  });

  test('takes packed files, and nothing of before what is needed', async () => {
    const text = 'Date,USD\n2026-08-03,1.15\n1999-01-04,1.1789\n';
    const record = await importRates(service.deps, { file: gzipSync(text), source: 'test' });
    expect(record).toMatchObject({ changed: 1, firstDay: '2026-08-03' });
  });
});

describe('the daily refresh', () => {
  test('reads the configured address, and not again within six hours', async () => {
    await Bun.write(path, 'Date,USD,\n2026-09-09,1.1700,\n');
    expect(await refreshRates(ctx)).toEqual({ changed: 1 });
    await Bun.write(path, 'Date,USD,\n2026-09-10,1.1800,\n');
    expect(await refreshRates(ctx)).toEqual({ changed: 0 });
    now = new Date(now.getTime() + 6 * 3_600_000);
    expect(await refreshRates(ctx)).toEqual({ changed: 1 });
  });

  test('that fails says so and keeps what is there', async () => {
    now = new Date(now.getTime() + 6 * 3_600_000);
    await Bun.write(path, 'nothing');
    expect(refreshRates(ctx)).rejects.toBeInstanceOf(AppError);
    const [row] = await sql`SELECT rate::text FROM exchange_rates WHERE day = '2026-09-10'`;
    expect(row?.rate).toBe('1.1800');
  });

  test('runs as a workflow', async () => {
    now = new Date(now.getTime() + 6 * 3_600_000);
    await Bun.write(path, 'Date,USD,\n2026-09-11,1.1900,\n');
    const scope = { orgId: 'system' };
    const handle = await service.deps.temporal.ensure(ratesRefreshContract, scope);
    await handle.result();
    const [row] = await sql`SELECT rate::text FROM exchange_rates WHERE day = '2026-09-11'`;
    expect(row?.rate).toBe('1.1900');
    await keepHistory(temporal.client, 'ratesRefresh', 'rates-refresh/fetched');
  });
});
