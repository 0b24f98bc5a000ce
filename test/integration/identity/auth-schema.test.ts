import { expect, test } from 'bun:test';
import { getMigrations } from 'better-auth/db/migration';
import { testDatabase } from '../../support/postgres.ts';
import { startTestService } from '../../support/service.ts';

const database = await testDatabase();
const service = await startTestService(database);

test('the committed migration holds everything that better-auth wants', async () => {
  const { toBeAdded, toBeCreated, compileMigrations } = await getMigrations(
    service.deps.identity.auth.options,
  );
  expect(toBeCreated).toEqual([]);
  expect(toBeAdded).toEqual([]);
  expect((await compileMigrations()).replaceAll(/[;\s]/g, '')).toBe('');
});

test('better-auth keeps out of the public schema', async () => {
  const rows = await database.sql<{ table_name: string }[]>`
    SELECT table_name FROM information_schema.tables
    WHERE table_schema = 'public'
      AND table_name IN ('user', 'session', 'account', 'verification', 'organization', 'member',
        'invitation', 'apikey')`;
  expect(rows).toHaveLength(0);
});
