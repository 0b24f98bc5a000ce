import { expect, test } from 'bun:test';
import { DAY_MS, MINUTE_MS } from '../../../../src/shared/time.ts';
import { newToken, ofToken, playServiceOf, startPlay } from '../../../support/play-service.ts';
import { testDatabase } from '../../../support/postgres.ts';
import { startTestService } from '../../../support/service.ts';

const clock = { now: Date.now() };
const now = () => new Date(clock.now);
const { play, deps } = await startPlay(now);

let gate: Promise<void> | null = null;
let arrived = () => {};
const { playStore } = deps;
const held: typeof playStore = {
  ...playStore,
  async subscription(key, purchase) {
    const answer = await playStore.subscription(key, purchase);
    const waiting = gate;
    gate = null;
    if (waiting) {
      arrived();
      await waiting;
    }
    return answer;
  },
};
const service = playServiceOf(
  await startTestService(await testDatabase(), {
    with: () => ({ clock: now, ...deps, playStore: held }),
  }),
  play,
  clock,
);
const { askNow, connected, entitlement, push, sell, verify } = service;

const line = (orderId: string, end: number) => ({
  lineItems: [
    {
      productId: 'pro',
      expiryTime: new Date(end).toISOString(),
      latestSuccessfulOrderId: orderId,
      autoRenewingPlan: { autoRenewEnabled: true },
    },
  ],
});

test('an answer that comes late does not undo a newer one', async () => {
  const app = await connected();
  const token = newToken();
  sell({ token }, line('GPA.9', clock.now + 30 * DAY_MS));
  await verify(app, token);
  clock.now += 33 * DAY_MS;
  sell({ token, state: 'ON_HOLD' }, line('GPA.9', clock.now - 3 * DAY_MS));
  await askNow(app);
  expect((await entitlement(app)).status).toBe('billing_retry');

  // The app is opened: Google is asked, and its answer is slow.
  let release = () => {};
  const isAsked = new Promise<void>((resolve) => (arrived = resolve));
  gate = new Promise((resolve) => (release = resolve));
  const late = verify(app, token);
  await isAsked;
  // The customer pays meanwhile.
  clock.now += 1_000;
  sell({ token }, line('GPA.9..0', clock.now + 30 * DAY_MS));
  await push(app, ofToken(token, 1));
  clock.now += 1_000;
  await askNow(app);
  expect((await entitlement(app)).status).toBe('active');
  clock.now += 1_000;
  release();
  await late;
  expect((await entitlement(app)).status).toBe('active');
  clock.now += 2 * DAY_MS + 7 * MINUTE_MS;
  await askNow(app);
  expect((await entitlement(app)).status).toBe('active');
});
