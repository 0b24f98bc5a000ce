import { expect, test } from 'bun:test';
import { DAY_MS } from '../../../../src/shared/time.ts';
import {
  newToken,
  ofToken,
  startPlayService,
  subscriptionOf,
} from '../../../support/play-service.ts';
import { testDatabase } from '../../../support/postgres.ts';

const service = await startPlayService(await testDatabase());
const { askNow, clock, connected, entitlement, play, push, sell, verify } = service;

test('a push that is replayed, late or out of order changes nothing: Google is asked', async () => {
  const app = await connected();
  const token = newToken();
  sell({ token });
  await verify(app, token);
  const before = await entitlement(app);
  const old = clock.now - 20 * DAY_MS;
  for (const notificationType of [13, 12, 5, 3, 1, 99]) {
    const told = { ...ofToken(token, notificationType), eventTimeMillis: String(old) };
    for (let time = 0; time < 2; time += 1) {
      expect((await push(app, told)).body).toEqual({ received: true });
      await askNow(app);
    }
  }
  expect(await entitlement(app)).toEqual({ ...before, checkedAt: expect.any(String) });
  expect(play.acknowledgements.filter((one) => one === token)).toEqual([token]);
});

test('a push about a purchase of another package records nothing', async () => {
  const app = await connected();
  const token = newToken();
  sell({ token });
  play.put(token, subscriptionOf({ token }, clock.now), { packageName: 'com.example.other' });
  await push(app, ofToken(token));
  await askNow(app);
  expect((await verify(app, token)).body.error.code).toBe('invalid_transaction');
  expect((await entitlement(app)).status).toBe('none');
  expect(play.acknowledgements).not.toContain(token);
});
