import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { copyViews, HIDDEN } from '../../../src/sql/sandbox/copy.ts';
import type { ChildQuestion } from '../../../src/sql/sandbox/protocol.ts';
import { runChild, runConfined } from '../../../src/sql/sandbox/run-child.ts';
import { SHORT_SECONDS } from '../../../src/query/schedule/places.ts';
import { Overrun } from '../../../src/query/schedule/schedule.ts';
import { openDuck } from '../../../src/storage/duckdb.ts';
import { compactEverything } from '../../support/queries.ts';
import { testDatabase } from '../../support/postgres.ts';
import { HEAVY, statements, type Targets, waysOut } from '../../support/sandbox/statements.ts';
import { twoOrganizations } from '../../support/sandbox/world.ts';
import { startTestService } from '../../support/service.ts';
import { ROOT } from '../../support/sources.ts';
import { isFullRun } from '../../support/random.ts';

const CANARY = `canary-${crypto.randomUUID()}`;
const STATEMENTS = isFullRun ? 10_000 : 150;
const PER_PROCESS = 500;
const SUPPORT = join(ROOT, 'test/support');

const service = await startTestService(await testDatabase());
const { ours, ask, pathsOf, hot } = await twoOrganizations(service);
const folder = mkdtempSync(join(tmpdir(), 'cp-sandbox-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const [ownFile = ''] = await pathsOf(ours.orgId);
const [otherFile = ''] = await pathsOf(null);
const targets: Targets = {
  secretFile: join(folder, 'secret.txt'),
  writable: join(folder, 'written'),
  ...{ ownFile, otherFile },
};
writeFileSync(targets.secretFile, CANARY);
const own = readFileSync(ownFile);

const question = (more: Partial<ChildQuestion>): ChildQuestion => ({
  ...{
    setup: [],
    paths: [],
    views: ['events', 'people', 'apps'],
    hidden: HIDDEN,
    sql: 'SELECT 1',
    parameters: {},
  },
  ...{ timeMs: 600_000, maxRows: 100, maxBytes: 100_000, memoryMb: 256, threads: 2 },
  ...more,
});

async function confined(entry: string, asked: ChildQuestion, inside: string): Promise<string> {
  const { signal } = new AbortController();
  const said = await runConfined(inside, asked, { signal, entry: join(SUPPORT, entry) });
  if (typeof said !== 'string') throw new Error(JSON.stringify(said));
  return said;
}

function expectNothingLeft(): void {
  expect(existsSync(targets.writable)).toBe(false);
  expect(readFileSync(ownFile)).toEqual(own);
  expect(readFileSync(targets.secretFile, 'utf8')).toBe(CANARY);
}

describe('the kernel alone', () => {
  test('lets nothing out of a process whose DuckDB has no locks', async () => {
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('a\n1') });
    afterAll(() => server.stop(true));
    const inside = mkdtempSync(join(folder, 'probe-'));
    const parameters = {
      ...{ secretFile: targets.secretFile, writable: targets.writable },
      ...{ port: server.port ?? 0, parent: process.pid },
    };
    const said = await confined('escape-child.ts', question({ parameters }), inside);
    const { ways, environment, niceness, usedSeconds } = JSON.parse(said);
    expect(environment).toEqual([]);
    // Beside other work of the host it has the share of any other question.
    if (usedSeconds < 0.3) expect(niceness).toBe(getPriority());
    else expect([getPriority(), 19]).toContain(niceness);
    const { 'a sum by threads': works, ...out } = ways;
    expect(works).toBe(true);
    expect(Object.entries(out).filter(([, isOpen]) => isOpen)).toEqual([]);
    expect(Object.keys(out).length).toBeGreaterThan(40);
    expect(readdirSync(inside).toSorted()).toEqual(['confinement.json', 'question.json']);
    expectNothingLeft();
  });
});

describe('a kernel without', () => {
  test.each(['landlock', 'seccomp'])('%s gives no answer', async (missing) => {
    const inside = mkdtempSync(join(folder, 'old-'));
    await runChild(inside, question({}), { signal: new AbortController().signal });
    const child = join(ROOT, 'test/support/old-kernel-child.ts');
    const said = Bun.spawnSync([process.execPath, child, missing], { cwd: inside, env: {} });
    expect(JSON.parse(said.stdout.toString()).fault).toBe('not_isolated');
  });
});

describe('a question', () => {
  test('over HTTP has no way out', async () => {
    const asked = waysOut(targets).filter(
      (_, index) => index % (isFullRun ? 5 : 20) === 0 || index > 195,
    );
    for (const sql of asked) {
      const { status, text } = await ask(sql);
      expect([sql, status]).toEqual([sql, 400]);
      expect(text).not.toContain(CANARY);
    }
    expectNothingLeft();
  });

  let inside = '';
  let views: Awaited<ReturnType<typeof copyViews>>;
  beforeAll(async () => {
    inside = mkdtempSync(join(folder, 'many-'));
    const duck = await openDuck({ memoryMb: 256, threads: 1, tempDir: inside, tempLimitMb: 100 });
    const { sql, objects } = service.deps;
    const asked = { orgId: ours.orgId, sql: 'events people exposures', folder: inside };
    views = await copyViews(await duck.connect(), { sql, objects, hot }, asked);
    duck.closeSync();
  });

  async function askMany(sql: readonly string[]): Promise<string[]> {
    writeFileSync(join(inside, 'statements.json'), JSON.stringify(sql));
    const said = await confined('many-questions-child.ts', question(views), inside);
    return said
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)[1]);
  }

  test('in each of the ways known is refused', async () => {
    const sql = waysOut(targets);
    const answers = await askMany(sql);
    const answered = sql.filter((_, index) => !answers[index]?.startsWith('refused: '));
    expect(answered).toEqual([]);
    expectNothingLeft();
  });

  test('that is heavy ends, by its time, its memory or its bounds', async () => {
    for (const sql of HEAVY) {
      const alone = mkdtempSync(join(folder, 'heavy-'));
      const asked = question({ sql, timeMs: 1_000, memoryMb: 128 });
      const said = await runChild(alone, asked, { signal: new AbortController().signal });
      const end = 'fault' in said ? said.fault : said.cutBy;
      expect([sql, end]).toEqual([sql, expect.stringMatching(/^(timeout|memory|rows|bytes)$/)]);
    }
  });

  test('that is heavy leaves a short place by the time of its processor', async () => {
    const { signal } = new AbortController();
    const used: number[] = [];
    const run = { signal, lane: 'short', onUsed: (seconds: number) => used.push(seconds) } as const;
    const inside = () => mkdtempSync(join(folder, 'short-'));
    await runChild(inside(), question({}), run);
    const [sql = ''] = HEAVY;
    const heavy = question({ sql });
    await expect(runChild(inside(), heavy, run)).rejects.toThrow(Overrun);
    expect(used[0]).toBeWithin(0.01, SHORT_SECONDS);
    expect(used[1]).toBeGreaterThan(SHORT_SECONDS);
  });

  test(`of ${STATEMENTS} generated ones none leaves its organization`, async () => {
    const seed = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31);
    const all = fc.sample(statements(targets), { numRuns: STATEMENTS, seed });
    let answered = 0;
    for (let from = 0; from < all.length; from += PER_PROCESS) {
      const sql = all.slice(from, from + PER_PROCESS);
      const answers = await askMany(sql);
      expect(answers).toHaveLength(sql.length);
      for (const [index, text] of answers.entries()) {
        if (text.startsWith('refused: ')) continue;
        answered += 1;
        const leak = [CANARY, 'their_', 'root:', 'late_aliases'].find((word) =>
          text.includes(word),
        );
        expect({ seed, sql: sql[index], leak }).toEqual({ seed, sql: sql[index], leak: undefined });
      }
    }
    // Some of them are questions that there may be.
    expect(answered).toBeGreaterThan(0);
    expectNothingLeft();
  });

  test('reads a file of its organization alone where it lies, though no app owns it yet', async () => {
    const { deps, call } = service;
    // What is in the log is of both organizations.
    await compactEverything(deps);
    const before = await pathsOf(null);
    const events = [{ name: 'our_fresh_file', anonymousId: 'device-1' }];
    expect((await call('/v1/events', { body: { events }, headers: ours.device })).status).toBe(202);
    await compactEverything(deps);
    const fresh = (await pathsOf(null)).filter((path) => !before.includes(path));
    expect(fresh).toHaveLength(1);
    const at = mkdtempSync(join(folder, 'fresh-'));
    const duck = await openDuck({ memoryMb: 256, threads: 1, tempDir: at, tempLimitMb: 100 });
    const { sql, objects } = deps;
    const asked = { orgId: ours.orgId, sql: 'events', folder: at };
    const { paths } = await copyViews(await duck.connect(), { sql, objects, hot }, asked);
    duck.closeSync();
    expect(paths).toEqual(expect.arrayContaining([ownFile, ...fresh]));
    expect(paths.filter((path) => before.includes(path))).toEqual([]);
    const { body } = await ask(
      "SELECT name, count(*) AS n FROM events WHERE name LIKE 'our%' GROUP BY name ORDER BY name",
    );
    expect(body.rows.map(([name, count]: [string, unknown]) => [name, Number(count)])).toEqual([
      ['our_fresh_file', 1],
      ['our_log', 3],
      ['our_own_file', 1],
      ['our_shared_file', 3],
      ['our_sign_up', 1],
    ]);
  });
});
