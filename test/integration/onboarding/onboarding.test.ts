import { describe, expect, test } from 'bun:test';
import { createTestPerson, signInAs } from '../../support/people.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const org = await createTestOrg(service);

async function person() {
  const headers = await signInAs(service, await createTestPerson(service));
  return {
    read: () => service.call('/v1/onboarding', { headers }),
    answer: (body?: unknown) =>
      service.call('/v1/onboarding', {
        method: 'POST',
        headers,
        ...(body !== undefined && { body }),
      }),
  };
}

const NOT_ANSWERED = { completed: false, source: null, building: null, completedAt: null };

describe('the onboarding survey', () => {
  test('is not completed before it was answered', async () => {
    const { read } = await person();
    const answer = await read();
    expect([answer.status, answer.body]).toEqual([200, NOT_ANSWERED]);
  });

  test('answering completes it once, and what a later answer leaves out stays', async () => {
    const { read, answer } = await person();
    const first = await answer({ source: 'friend', sourceDetail: 'Ada', building: 'A timer ⏱️' });
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ completed: true, source: 'friend', building: 'A timer ⏱️' });
    expect((await read()).body).toEqual(first.body);
    const second = await answer({ source: 'search' });
    expect(second.body).toEqual({ ...first.body, source: 'search' });
    expect((await answer()).body).toEqual(second.body);
    expect((await answer({ building: '' })).body).toEqual({ ...second.body, building: '' });
    await answer({ building: 'A timer ⏱️' });
    expect((await read()).body).toEqual(second.body);
  });

  test('can be completed without answers and without a body', async () => {
    const { answer } = await person();
    const made = await answer();
    expect(made.body).toMatchObject({ completed: true, source: null, building: null });
    expect((await answer({})).body.completed).toBe(true);
  });

  test('belongs to one person', async () => {
    const one = await person();
    const other = await person();
    await one.answer({ building: 'mine' });
    expect((await other.read()).body).toEqual(NOT_ANSWERED);
  });

  test.each([
    [{ source: 'television' }],
    [{ source: null }],
    [{ sourceDetail: 'x'.repeat(281) }],
    [{ building: '😀'.repeat(281) }],
    [{ building: 'a\u0000b' }],
    [{ building: 'half \ud83d' }],
    [{ building: 7 }],
    ['text'],
    [[]],
  ])('400 for %j', async (body) => {
    const { answer, read } = await person();
    const refused = await answer(body);
    expect([refused.status, refused.body.error.code]).toEqual([400, 'invalid_input']);
    expect((await read()).body).toEqual(NOT_ANSWERED);
  });

  test('280 emoji are 280 characters', async () => {
    const { answer } = await person();
    const building = '😀'.repeat(280);
    expect((await answer({ building })).body.building).toBe(building);
  });

  test.each([[{}], [org.key], [{ 'x-api-key': 'svk_unknown' }], [{ cookie: 'nonsense' }]])(
    '401 without a session: %j',
    async (headers) => {
      for (const method of ['GET', 'POST']) {
        const answer = await service.call('/v1/onboarding', { method, headers });
        const code = 'x-api-key' in headers ? expect.any(String) : 'not_signed_in';
        expect([answer.status, answer.body.error.code]).toEqual([401, code]);
      }
    },
  );
});
