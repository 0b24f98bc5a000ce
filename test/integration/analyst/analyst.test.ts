import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { findOrganization } from '../../../src/admin/organization.ts';
import { printAnswer } from '../../../src/admin/analyst/print.ts';
import { openAnalystSession } from '../../../src/admin/analyst/session.ts';
import { bootstrap } from '../../../src/modules/identity/index.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { makeOld } from '../../support/old-event-files.ts';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';
import { ROOT } from '../../support/sources.ts';

const service = await startTestService(await testDatabase());
const { call, deps } = service;

async function organizationWith(events: object[]) {
  const org = await createTestOrg(service);
  const app = await createTestApp(service, org.orgId);
  const answer = await call('/v1/events', { body: { events }, headers: app.device });
  expect(answer.status).toBe(202);
  return { ...org, ...app };
}

const ours = await organizationWith([
  { name: 'app_opened', anonymousId: 'device-1', props: { plan: 'yearly' } },
  { name: 'app_opened', anonymousId: 'device-2' },
]);
const theirs = await organizationWith([{ name: 'their_secret', anonymousId: 'their-device' }]);
await compactEverything(deps);
// Signs up after the file was written.
await call('/v1/events', {
  headers: ours.device,
  body: { events: [{ name: 'signup_completed', anonymousId: 'device-1', userId: 'user-1' }] },
});
await compactEverything(deps);

// As a merge leaves it: a file of one organization alone, which the view reads in its place.
await deps.sql`
  UPDATE event_files f SET level = 2, org_id = ${ours.orgId}, app_id = ${ours.appId} WHERE NOT EXISTS (
    SELECT 1 FROM event_file_apps a WHERE a.file_id = f.file_id AND a.org_id <> ${ours.orgId})`;
const ownFiles = await deps.sql<{ path: string }[]>`
  SELECT path FROM event_files WHERE org_id IS NOT NULL`;
// Files of an earlier release and of this one are read together.
await makeOld(
  deps,
  ownFiles.slice(0, 1).map(({ path }) => path),
);
const sharedFiles = await deps.sql<{ path: string }[]>`
  SELECT path FROM event_files WHERE org_id IS NULL`;

const session = await openAnalystSession(deps, ours.orgId);

const rows = async (sql: string) => (await session.ask(sql)).rows;

async function refusal(sql: string): Promise<AppError> {
  const thrown = await session.ask(sql).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(AppError);
  return thrown as AppError;
}

test('a question that is interrupted has no answer, and the next one has', async () => {
  const endless = refusal('SELECT range FROM range(1000000000000) WHERE range % 1000000000 = 1');
  session.interrupt();
  expect((await endless).message).toStartWith('INTERRUPT');
  expect(await rows('SELECT 1')).toEqual([[1]]);
});

describe('an analyst', () => {
  afterAll(() => session.close());

  test('sees the events of the organization, with the person that is known now', async () => {
    expect(await rows('SELECT name, person_id FROM events ORDER BY ALL')).toEqual([
      ['app_opened', 'device-2'],
      ['app_opened', 'user-1'],
      ['signup_completed', 'user-1'],
    ]);
    expect(await rows("SELECT count(*) FROM events WHERE props->>'plan' = 'yearly'")).toEqual([
      ['1'],
    ]);
    const columns = await rows('DESCRIBE events');
    expect(columns.map(([name]) => name)).toContain('occurred_at');
  });

  test('sees nobody else, by whatever door', async () => {
    expect(await rows(`SELECT 1 FROM events WHERE org_id = '${theirs.orgId}'`)).toEqual([]);
    expect(sharedFiles.length).toBeGreaterThan(0);
    for (const { path } of sharedFiles) {
      const local = await deps.objects.localPath(path);
      await refusal(`SELECT * FROM read_parquet('${local}')`);
      await refusal(`SELECT * FROM '${local}'`);
    }
    for (const sql of [
      "SELECT * FROM read_text('/etc/passwd')",
      "SELECT * FROM read_csv('/etc/passwd')",
      "SELECT * FROM glob('/**')",
      "SELECT * FROM parquet_metadata('/tmp/x.parquet')",
    ]) {
      await refusal(sql);
    }
  });

  test('changes nothing', async () => {
    // One file, or two where the compactor took the events in two turns.
    expect(ownFiles).not.toHaveLength(0);
    const own = await deps.objects.localPath(ownFiles[0]!.path);
    const before = await Bun.file(own).bytes();
    for (const sql of [
      `COPY (SELECT 1) TO '${own}'`,
      `EXPLAIN ANALYZE COPY (SELECT 1) TO '${own}' (FORMAT parquet)`,
      "COPY (SELECT 1) TO '/tmp/written-by-an-analyst.csv'",
      "EXPLAIN ANALYZE COPY (SELECT 1) TO '/tmp/written-by-an-analyst.csv'",
      'SET enable_external_access = true',
      'SET lock_configuration = false',
      "ATTACH '/tmp/other.duckdb'",
      'INSTALL httpfs',
      'LOAD httpfs',
      'DROP VIEW events',
      'DELETE FROM shared_events',
      "SELECT 1; COPY (SELECT 1) TO '/tmp/written-by-an-analyst.csv'",
      "EXPORT DATABASE '/tmp/exported-by-an-analyst'",
    ]) {
      await refusal(sql);
    }
    expect(await Bun.file(own).bytes()).toEqual(before);
    expect(await rows('SELECT count(*) FROM events')).toEqual([['3']]);
    expect(await Bun.file('/tmp/written-by-an-analyst.csv').exists()).toBe(false);
  });

  test('is told what is wrong with a question', async () => {
    expect((await refusal('SELECT nothing FROM events')).message).toContain('nothing');
    expect((await refusal('SELEC 1')).message).toContain('syntax error');
    expect((await refusal('')).code).toBe('invalid_input');
  });

  test('holds a lease for as long as it lasts', async () => {
    const leases = () => deps.sql`SELECT 1 FROM event_leases WHERE org_id = ${theirs.orgId}`;
    const other = await openAnalystSession(deps, theirs.orgId);
    expect(await leases()).toHaveLength(1);
    expect((await other.ask('SELECT name FROM events')).rows).toEqual([['their_secret']]);
    await other.close();
    expect(await leases()).toHaveLength(0);
  });

  test('has to name an organization that exists', async () => {
    const thrown = await openAnalystSession(deps, 'nobody').catch((error: unknown) => error);
    expect((thrown as AppError).code).toBe('not_found');
  });

  test('names it by id, slug or name in any case, and is told of the nearest ones', async () => {
    const named = await bootstrap(
      { deps },
      { organization: 'Acme Apps', email: 'acme@example.com' },
    );
    const [{ slug } = { slug: '' }] = await deps.sql<{ slug: string }[]>`
      SELECT slug FROM auth.organization WHERE id = ${named.organizationId}`;
    for (const given of [named.organizationId, slug, slug.toUpperCase(), 'acme apps']) {
      expect((await findOrganization(deps.sql, given)).id).toBe(named.organizationId);
    }
    const wrong: unknown = await findOrganization(deps.sql, 'Acme App').catch((thrown) => thrown);
    expect(wrong).toMatchObject({ message: 'There is no organization "Acme App".' });
    expect((wrong as AppError).hint).toStartWith(`Nearest: ${slug} (Acme Apps), `);
    const shared: unknown = await findOrganization(deps.sql, 'test').catch((thrown) => thrown);
    expect(shared).toMatchObject({ message: 'Several organizations are called "test".' });
    expect((shared as AppError).hint).not.toContain(slug);
  });

  test('of an organization without events finds an empty view', async () => {
    const org = await createTestOrg(service);
    const empty = await openAnalystSession(deps, org.orgId);
    expect((await empty.ask('SELECT count(*) FROM events')).rows).toEqual([['0']]);
    await empty.close();
  });
});

describe('an answer', () => {
  const answer = {
    columns: ['name', 'n'],
    rows: [
      ['a, "b"', 1],
      [null, 2],
    ],
    isCut: false,
  };

  test('is printed for eyes, as CSV and as JSON lines', () => {
    expect(printAnswer(answer, 'table')).toBe('name    n\na, "b"  1\nNULL    2\n(2 rows)');
    expect(printAnswer(answer, 'csv')).toBe('"name","n"\r\n"a, ""b""",1\r\n,2');
    expect(printAnswer(answer, 'json')).toBe('{"name":"a, \\"b\\"","n":1}\n{"name":null,"n":2}');
    expect(printAnswer({ ...answer, isCut: true }, 'table')).toEndWith('(2 and more rows)');
  });
});

describe('the command', () => {
  const run = (words: string[], input = '') => {
    const { databaseUrl, dataDir } = deps.config;
    const asked = Bun.spawnSync(
      [process.execPath, join(ROOT, 'src/admin/analyst/main.ts'), ...words],
      {
        stdin: new Blob([input]),
        env: {
          PATH: process.env.PATH ?? '',
          DATA_DIR: dataDir,
          DATABASE_URL: databaseUrl ?? '',
          TEMPORAL_ADDRESS: '127.0.0.1:1',
        },
      },
    );
    return { code: asked.exitCode, out: asked.stdout.toString(), err: asked.stderr.toString() };
  };

  test('says how it is used, under its own name', () => {
    expect(run(['--help']).out).toStartWith(
      'Usage: bun run analyst -- [SQL] [DIR] [QUESTION] --org ORG',
    );
    const wrong = run(['--org', ours.orgId, 'SELECT', '1']);
    expect([wrong.code, wrong.err]).toEqual([
      2,
      'Put the question into quotes: it is one word.\nSee "bun run analyst -- --help".\n',
    ]);
    expect(run([]).code).toBe(2);
  });

  test('of a conversation takes help and exit, and answers between them', () => {
    const { out, code } = run(
      ['--org', ours.orgId],
      'help\nSELECT 41 + 1 AS n;\nexit\nSELECT 7;\n',
    );
    expect(code).toBe(0);
    expect(out.match(/The views are events, people/g)).toHaveLength(2);
    expect(out).toContain('42');
    expect(out).not.toContain('7\n(1 row)');
  });

  test('prints a long answer whole into a pipe', () => {
    const { databaseUrl, dataDir } = deps.config;
    const question = "SELECT range AS n, repeat('x', 50) AS text FROM range(40000)";
    const command = [
      process.execPath,
      join(ROOT, 'src/admin/analyst/main.ts'),
      '--org',
      ours.orgId,
    ];
    // A reader that lets it wait, as a pager does.
    const script = '"$@" | { sleep 1; cat; }';
    const asked = Bun.spawnSync(
      ['sh', '-c', script, 'sh', ...command, '--format', 'json', question],
      {
        env: {
          PATH: process.env.PATH ?? '',
          DATA_DIR: dataDir,
          DATABASE_URL: databaseUrl ?? '',
          TEMPORAL_ADDRESS: '127.0.0.1:1',
        },
      },
    );
    expect(asked.stderr.toString()).toBe('');
    const lines = asked.stdout.toString().trimEnd().split('\n');
    expect(lines).toHaveLength(40_000);
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ n: '39999' });
  });
});
