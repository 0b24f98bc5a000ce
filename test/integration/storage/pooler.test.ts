import { afterAll, describe, expect, test } from 'bun:test';
import { preparePgbouncer } from '../../../scripts/test/pgbouncer.ts';
import { withLock } from '../../../src/storage/locks.ts';
import { migrate } from '../../../src/storage/migrate.ts';
import { isBehindPooler, limitRole, looksPooled } from '../../../src/storage/pooler.ts';
import { createSql, isPoolAtWork, mayRest, type Sql } from '../../../src/storage/postgres.ts';
import { readPages } from '../../../src/storage/read-pages.ts';
import { selectRunningProcesses } from '../../../src/modules/backup/queries.ts';
import { temporaryFolder } from '../../support/events.ts';
import { describeFull } from '../../support/left-out.ts';
import { testDatabase } from '../../support/postgres.ts';
import { until } from '../../support/until.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';
import { transactionPooler } from '../../support/transaction-pooler.ts';

const database = await testDatabase();
const url = await transactionPooler(database.directUrl);
const LIMITS = { connectionMs: 30_000, lockMs: 7_000, idleInTransactionMs: 9_000 };

function pooled(applicationName = 'pooled', maxConnections = 4): Sql {
  const sql = createSql(url, { maxConnections, applicationName, isPooled: true, limits: LIMITS });
  afterAll(() => sql.end({ timeout: 0 }));
  return sql;
}

const sql = pooled();
const pidOf = async (db: Pick<Sql, 'unsafe'>) =>
  (await db.unsafe('SELECT pg_backend_pid() AS pid'))[0]?.pid;
const shown = async (db: Pick<Sql, 'unsafe'>) => {
  const [row] = await db.unsafe(`SELECT current_setting('lock_timeout') AS lock,
    current_setting('idle_in_transaction_session_timeout') AS idle,
    current_setting('TimeZone') AS zone`);
  return row ?? {};
};

/** Statements with parameters are described first, and those of pages read by a cursor. */
async function askAtOnce(each: Sql): Promise<void> {
  const plain = async () => (await each<{ sum: number }[]>`SELECT 3 AS sum`)[0]?.sum;
  const described = async () =>
    (await each<{ sum: number }[]>`SELECT ${1}::int + 2 AS sum`)[0]?.sum;
  const paged = async () => {
    let sum = 0;
    const rows = each<{ value: number }[]>`SELECT value FROM generate_series(1, 2) AS value`;
    for await (const page of readPages(rows, 1)) for (const { value } of page) sum += value;
    return sum;
  };
  const begun = () =>
    each.begin(async (tx) => {
      const rows = tx<{ value: number }[]>`SELECT ${1}::int AS value`;
      const [[one], [two]] = await Promise.all([rows, tx`SELECT 2 AS value`]);
      return (one?.value ?? 0) + two?.value;
    });
  const kinds = [plain, described, paged, begun];
  const asked = Array.from({ length: 48 }, (_, at) =>
    kinds[(at * 7 + (at >> 2)) % kinds.length]?.(),
  );
  expect(await Promise.all(asked)).toEqual(asked.map(() => 3));
}

describe('a pooler by transaction', () => {
  test('is found, and refuses a session with limits or prepared statements', async () => {
    expect([await looksPooled(url), await isBehindPooler(sql)]).toEqual([true, true]);
    expect(await looksPooled(database.directUrl)).toBe(false);
    const other = createSql(url, { maxConnections: 1, applicationName: 'other' });
    const thrown = await Promise.resolve(other`SELECT 1`).catch(String);
    await other.end({ timeout: 0 });
    expect(thrown).toContain('unsupported startup parameter: lock_timeout');
  });

  test('gives each statement another connection, and a transaction one', async () => {
    const one = pooled('one', 1);
    let last: unknown;
    for (let count = 0; count < 6; count += 1) {
      const pid = await pidOf(one);
      expect(pid).not.toBe(last);
      const rows = await one<{ sum: number }[]>`SELECT ${count}::int + ${2}::int AS sum`;
      expect(rows[0]?.sum).toBe(count + 2);
      last = await one.begin(async (tx) => {
        const [own, same] = [await pidOf(tx), await pidOf(tx)];
        expect(same).toBe(own);
        return own;
      });
    }
  });

  test('lets many work at once, by pages and copies too', async () => {
    await sql`CREATE TABLE numbers (value integer NOT NULL)`;
    const add = (value: number) =>
      sql.begin(async (tx) => {
        await tx`INSERT INTO numbers VALUES (${value})`;
        await tx`INSERT INTO numbers SELECT ${-value}::int WHERE ${value}::int > 0`;
      });
    await Promise.all(Array.from({ length: 40 }, (_, value) => add(value)));
    const values: number[] = [];
    const ordered = sql<{ value: number }[]>`SELECT value FROM numbers ORDER BY value`;
    for await (const page of readPages(ordered, 7)) values.push(...page.map(({ value }) => value));
    expect(values).toEqual(Array.from({ length: 79 }, (_, index) => index - 39));
    let copied = '';
    const lines = await sql`COPY (SELECT value FROM numbers WHERE value > 37) TO STDOUT`.readable();
    for await (const line of lines) copied += String(line);
    expect(copied.trim().split('\n').toSorted()).toEqual(['38', '39']);
  });

  test('answers statements of each kind that wait for one of few connections', async () => {
    await askAtOnce(pooled('few', 2));
  });

  test('keeps a lock for as long as its work, on whatever connections that is', async () => {
    const held = await withLock(sql, 'compaction', async () => {
      const pids = [await pidOf(sql), await pidOf(sql)];
      return { pids, again: await withLock(sql, 'compaction', async () => 'never') };
    });
    expect(held?.value.again).toBeNull();
    expect(new Set(held?.value.pids).size).toBe(2);
    expect(await withLock(sql, 'compaction', async () => 'now')).toEqual({ value: 'now' });
  });

  test('has the limits in transactions by themselves, elsewhere those of the role, and UTC', async () => {
    expect(await sql.begin(shown)).toMatchObject({ lock: '7s', idle: '9s' });
    const resting = sql.begin(async (tx) => {
      await mayRest(tx);
      return shown(tx);
    });
    expect(await resting).toMatchObject({ lock: '7s', idle: '0' });
    await database.sql`DO $$ BEGIN EXECUTE format(
      'ALTER DATABASE %I SET TimeZone = ''Asia/Tokyo''', current_database()); END $$`;
    await Promise.all([limitRole(sql), limitRole(pooled('other host'))]);
    await database.sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'idle'`;
    expect(await shown(pooled('new'))).toEqual({ lock: '1min', idle: '2min', zone: 'UTC' });
  });

  test('limits a role of any name, and shows processes to every role', async () => {
    const name = `Odd.${crypto.randomUUID()}`;
    await database.sql.unsafe(`CREATE ROLE "${name}" LOGIN SUPERUSER PASSWORD 'odd'`);
    const address = new URL(database.directUrl);
    [address.username, address.password] = [name, 'odd'];
    const odd = createSql(address.href, { maxConnections: 1, applicationName: 'odd' });
    const quiet = pooled('control-plane-busy');
    try {
      await limitRole(odd);
      await limitRole(odd);
      const [limited] = await odd`SELECT cardinality(setconfig) AS count
        FROM pg_db_role_setting s JOIN pg_roles r ON r.oid = s.setrole WHERE r.rolname = ${name}`;
      expect(limited).toEqual({ count: 3 });
      await quiet`SELECT 1`;
      await odd.unsafe('SET ROLE pg_read_all_data');
      expect(await selectRunningProcesses(odd)).toContain('busy');
    } finally {
      await odd.end({ timeout: 0 });
      await database.sql.unsafe(`DROP OWNED BY "${name}"; DROP ROLE "${name}"`);
    }
  });

  test('shows the work of a pool by its name, and processes for two minutes after it', async () => {
    const [busy, quiet] = [pooled('control-plane-busy'), pooled('control-plane-quiet')];
    await Promise.all([busy`SELECT 1`, quiet`SELECT 1`]);
    const [work, locked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const working = database.sql.begin(async (tx) => {
      await tx`LOCK TABLE numbers`;
      locked.resolve();
      await work.promise;
    });
    await locked.promise;
    const waiting = busy`SELECT FROM numbers LIMIT 1`.then((rows) => rows.length);
    await until('its pool is at work', () => isPoolAtWork(busy, 0));
    expect(await isPoolAtWork(quiet, 0)).toBe(false);
    work.resolve();
    expect([await waiting, await working]).toEqual([1, undefined]);
    expect(await selectRunningProcesses(database.sql)).toEqual(['busy', 'quiet']);
  });
});

const pgbouncer = Bun.which('pgbouncer', { PATH: `${process.env.PATH}:/usr/sbin` });
describeFull(pgbouncer !== null, 'no pgbouncer')('PgBouncer', () => {
  test('answers statements of each kind that wait for one of few connections', async () => {
    const prepared = await preparePgbouncer(temporaryFolder('pgbouncer'), database.directUrl);
    const pooler = await prepared.start();
    afterAll(() => pooler.stop(1_000));
    const few = createSql(prepared.url, {
      maxConnections: 2,
      applicationName: 'few',
      isPooled: true,
    });
    afterAll(() => few.end({ timeout: 0 }));
    await askAtOnce(few);
  });
});

test('the service works behind one: migrations, accounts, apps and rows that are audited', async () => {
  expect(await migrate(sql)).toEqual([]);
  const service = await startTestService(
    { ...database, url },
    { env: { DATABASE_POOLER: 'transaction' } },
  );
  const org = await createTestOrg(service);
  const { appId } = await createTestApp(service, org.orgId);
  const answer = await service.call(`/v1/apps/${appId}`, { headers: org.key });
  expect([answer.status, answer.body.id]).toEqual([200, appId]);
  const kept = { method: 'PATCH', headers: org.key, body: { logDays: 90 } };
  expect((await service.call(`/v1/apps/${appId}/retention`, kept)).status).toBe(200);
  const [entries] = await sql<{ count: number }[]>`
    SELECT count(*) AS count FROM audit_entries WHERE org_id = ${org.orgId}`;
  expect(entries?.count).toBeGreaterThan(0);
});
