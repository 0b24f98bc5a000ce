import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { migrate } from '../../../src/storage/migrate.ts';
import { RELEASE, requireReadable } from '../../../src/storage/release.ts';
import { newDataDir, refusedStart, startEnvironment } from '../../support/instance.ts';
import { poolerEnv, testDatabase } from '../../support/postgres.ts';
import { ROOT } from '../../support/sources.ts';

const SENTENCE = 'The data of this installation was written by a newer release';
const database = await testDatabase();
const env = {
  DATABASE_URL: database.url,
  ...poolerEnv,
  TEMPORAL_ADDRESS: '127.0.0.1:1',
  AUTH_SECRET: 'a-secret-for-tests-only-0123456789abcdef',
};

async function run(...words: string[]) {
  const child = Bun.spawn([process.execPath, ...words], {
    cwd: ROOT,
    env: startEnvironment(newDataDir(), env),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { said: out + err, code: await child.exited };
}

const setMinRelease = (release: number) =>
  database.sql`UPDATE installation SET min_release = ${release}`;

describe('data of a newer release', () => {
  test('that this one has migrated is its own', async () => {
    const [row] = await database.sql`SELECT min_release FROM installation`;
    expect(row?.min_release).toBe(RELEASE);
    await requireReadable(database.sql);
  });

  test('is refused by start, by every process, by commands and by migrations', async () => {
    await setMinRelease(RELEASE + 1);
    await expect(requireReadable(database.sql)).rejects.toThrow(SENTENCE);
    await expect(migrate(database.sql)).rejects.toThrow(SENTENCE);
    const start = await refusedStart({ env });
    expect(start.code).toBe(1);
    expect(start.errors).toContain(SENTENCE);
    for (const role of ['api', 'worker', 'compactor', 'query']) {
      const { code, said } = await run(join('src/app/processes', `${role}.ts`));
      expect([role, code]).toEqual([role, 1]);
      expect(said).toContain(SENTENCE);
    }
    const command = await run('src/admin/main.ts', 'organization', 'list');
    expect(command.code).toBe(1);
    expect(command.said).toContain(SENTENCE);
  });

  test('is taken again when it needs no more than this release', async () => {
    await setMinRelease(RELEASE);
    expect(await migrate(database.sql)).toEqual([]);
    expect((await run('src/admin/main.ts', 'organization', 'list')).code).toBe(0);
  });
});
