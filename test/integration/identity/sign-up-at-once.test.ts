import { expect, test } from 'bun:test';
import { testDatabase } from '../../support/postgres.ts';
import { createTestOrg, startTestService } from '../../support/service.ts';

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
