import { describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { sqlSocket } from '../../../src/modules/sql/client.ts';
import { testDatabase } from '../../support/postgres.ts';
import { twoOrganizations } from '../../support/sandbox/world.ts';
import { createTestKey, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const { call, deps } = service;
const { ours, theirs, ask, pathsOf } = await twoOrganizations(service);

const COUNTS = 'SELECT name, count(*) FROM events GROUP BY name ORDER BY name';

describe('a question in SQL', () => {
  test('sees the own rows exactly: of own files, of shared ones and of the log', async () => {
    expect(await pathsOf(null)).not.toHaveLength(0);
    expect(await pathsOf(ours.orgId)).not.toHaveLength(0);
    expect((await ask(COUNTS)).body.rows).toEqual([
      ['our_log', 3],
      ['our_own_file', 1],
      ['our_shared_file', 3],
      ['our_sign_up', 1],
    ]);
    expect((await ask(COUNTS, undefined, theirs)).body.rows).toEqual([
      ['their_log', 3],
      ['their_own_file', 1],
      ['their_shared_file', 3],
    ]);
    const ids = await ask('SELECT DISTINCT org_id FROM events');
    expect(ids.body.rows).toEqual([[ours.orgId]]);
  });

  test('sees persons as they are known now, and every view', async () => {
    const { body } = await ask('SELECT person_id, events FROM people');
    expect(body.rows).toEqual([['user-1', 8]]);
    expect(body.dataThrough).not.toBeNull();
    const apps = await ask('SELECT app_id FROM apps');
    expect(apps.body).toMatchObject({ rows: [[ours.appId]], dataThrough: null, cutBy: null });
    for (const view of ['exposures', 'sales', 'purchases', 'subscriptions', 'entitlements']) {
      expect((await ask(`SELECT count(*) FROM ${view}`)).body.rows).toEqual([[0]]);
    }
    expect((await ask('DESCRIBE events')).body.rows[0][0]).toBe('org_id');
  });

  test('takes parameters, and says which is missing or not there', async () => {
    const named = await ask('SELECT name FROM events WHERE name = $name AND $n < 3 LIMIT $n', {
      name: 'our_own_file',
      n: 2,
    });
    expect(named.body.rows).toEqual([['our_own_file']]);
    const kinds = await ask('SELECT $1 + 1, $2, $3, $4 IS NULL', {
      1: 1.5,
      2: true,
      3: 'x',
      4: null,
    });
    expect(kinds.body.rows).toEqual([[2.5, true, 'x', true]]);
    expect((await ask('SELECT $name', {})).body.error.hint).toContain('"name" has no value');
    expect((await ask('SELECT 1', { x: 1 })).body.error.hint).toContain('no parameter "x"');
  });

  test('is answered in types that JSON has, and as CSV', async () => {
    const sql = `SELECT 1.50::DECIMAL(9,2) AS price, 9007199254740993 AS big, 7::BIGINT AS small,
      TIMESTAMPTZ '2026-01-02 03:04:05.5+00' AS at, [1, 2] AS list, '=1+1' AS formula`;
    const { body } = await ask(sql);
    expect(body.rows).toEqual([
      ['1.50', '9007199254740993', 7, '2026-01-02T03:04:05.5Z', [1, 2], '=1+1'],
    ]);
    expect(body.columns[0]).toEqual({ name: 'price', type: 'DECIMAL(9,2)' });
    expect(body.isolation).toBe('landlock, seccomp');
    const csv = await call('/v1/sql', {
      body: { sql },
      headers: { ...ours.headers, accept: 'text/csv' },
    });
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.text).toBe(
      '"price","big","small","at","list","formula"\r\n' +
        '1.50,9007199254740993,7,"2026-01-02T03:04:05.5Z","[1,2]","\'=1+1"\r\n',
    );
  });

  test('is answered as a stream of Arrow', async () => {
    const accept = 'application/vnd.apache.arrow.stream';
    const headers = { ...ours.headers, accept };
    const answer = await call('/v1/sql', { body: { sql: 'SELECT 1 AS one' }, headers });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, accept]);
    expect(answer.text).toContain('one');
  });

  test('says which bound cut its answer', async () => {
    const { body: rows } = await ask('SELECT * FROM range(10001)');
    expect([rows.rows.length, rows.cutBy]).toEqual([10_000, 'rows']);
    const wide = "SELECT repeat('x', 100000) AS wide FROM range(1000)";
    const { body: bytes } = await ask(wide);
    expect([bytes.rows.length, bytes.cutBy]).toEqual([83, 'bytes']);
    const csv = await call('/v1/sql', {
      body: { sql: wide },
      headers: { ...ours.headers, accept: 'text/csv' },
    });
    expect(csv.headers.get('x-cut-by')).toBe('bytes');
  });

  test('that eats memory ends with a sentence, and the next has its answer', async () => {
    const eats = await ask('SELECT list(i) FROM range(1000000000) t(i)');
    expect([eats.status, eats.body.error.message]).toEqual([
      503,
      'The question needs more memory than one question has.',
    ]);
    expect((await ask('SELECT 1')).body.rows).toEqual([[1]]);
  });

  test('is told what is wrong with it', async () => {
    const hint = async (sql: string) => (await ask(sql)).body.error.hint;
    expect(await hint('SELEC 1')).toBe('sql: syntax error at or near "SELEC"');
    expect(await hint('SELECT nothing FROM events')).toContain('"nothing" not found');
    expect(await hint('SELECT 1; SELECT 2')).toStartWith('sql: only one SELECT');
    expect(await hint('DROP VIEW events')).toStartWith('sql: only one SELECT');
    expect(await hint('FROM nobody')).toContain('there is no view "nobody"; there are events');
  });

  test('needs its own permission', async () => {
    const others = await createTestKey(service, ours, ['analytics:read', 'app:read']);
    const refused = await call('/v1/sql', { body: { sql: 'SELECT 1' }, headers: others });
    expect(refused.body.error.code).toBe('permission_denied');
  });

  test('on a machine that cannot isolate it is 503, with a sentence', async () => {
    const { askSql: asked } = deps;
    deps.askSql = async () => ({ fault: 'not_isolated', message: 'the kernel has no Landlock' });
    const { status, body, headers } = await ask('SELECT 1');
    deps.askSql = asked;
    expect([status, headers.get('retry-after')]).toEqual([503, '3600']);
    expect(body.error.message).toBe(
      'SQL cannot be asked on this machine: its kernel cannot isolate a question.',
    );
  });

  test('without a process that answers is 503', async () => {
    rmSync(sqlSocket(deps.config.runDir, 0));
    const { status, body } = await ask('SELECT 1');
    expect([status, body.error.message]).toEqual([503, 'SQL cannot be asked right now.']);
  });
});
