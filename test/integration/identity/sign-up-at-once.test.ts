import { expect, test } from 'bun:test';
import { testDatabase } from '../../support/postgres.ts';
import { createTestOrg, startTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

/** More than the API has connections. */
const AT_ONCE = 45;
const database = await testDatabase();
const service = await startTestService(database, { env: { SIGN_UP: 'open' } });
// The first account of an installation is made by other rules.
const org = await createTestOrg(service);

const signUp = (email: string) =>
  service.call('/v1/auth/sign-up/email', {
    body: { name: 'At once', email, password: 'a long enough phrase' },
  });

const tally = (answers: readonly { status: number }[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, all]) => [status, all.length]),
  );

const atOnce = (emailOf: (index: number) => string) =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, index) => signUp(emailOf(index))));

async function expectService(): Promise<void> {
  const apps = await service.call('/v1/apps', { headers: org.key });
  expect(apps.status).toBe(200);
}

test('as many sign-ups at once as there are addresses are all answered, and the API after them', async () => {
  expect(tally(await atOnce((index) => `at-once-${index}@example.com`))).toEqual({ 200: AT_ONCE });
  await expectService();
});

test('of one address one is made, the others are told that there is one', async () => {
  const answers = await atOnce(() => 'one-of-many@example.com');
  expect(tally(answers)).toEqual({ 200: 1, 409: AT_ONCE - 1 });
  await expectService();
});

test('a sign-up whose connection is lost is told to come back', async () => {
  const { sql } = service.deps;
  const blocked = await database.sql.reserve();
  await blocked`BEGIN`;
  await blocked`LOCK TABLE auth."user" IN EXCLUSIVE MODE`;
  const lost = signUp('lost@example.com');
  const ended = async () => {
    const rows = await sql`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'
        AND query ILIKE 'insert into%user%'`;
    return rows.length > 0;
  };
  await until('the sign-up waits and is cut off', ended);
  const { status, headers } = await lost;
  await blocked`ROLLBACK`;
  blocked.release();
  expect([status, headers.get('retry-after')]).toEqual([503, '5']);
  await expectService();
});
