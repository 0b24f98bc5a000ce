import { expect, test } from 'bun:test';
import { transactionPayload } from '../../simulators/store-server/payloads.ts';
import { testDatabase } from '../../support/postgres.ts';
import { startPurchaseService } from '../../support/purchase-service.ts';

/** A tenth: a signature a minute for a customer, three for a device. */
const service = await startPurchaseService(await testDatabase(), {
  env: { RATE_LIMIT_SCALE: '0.1' },
});

test('signatures are bounded by customer and by device', async () => {
  const app = await service.app();
  await service.connect(app);
  const bought = () =>
    service.store.addTransaction(
      transactionPayload({ bundleId: app.bundleId, subscriptionGroupIdentifier: '1' }),
    );
  const ask = (signedTransaction: string) =>
    service.call('/v1/purchases/offers/sign', {
      headers: app.device,
      body: { kind: 'promotional', productId: 'pro.monthly', offerId: 'half', signedTransaction },
    });
  const mine = bought();
  const body = { signedTransaction: mine };
  await service.call('/v1/purchases/verify', { headers: app.device, body });
  expect((await ask(mine)).status).toBe(200);
  const again = await ask(mine);
  expect([again.status, again.body.error.hint]).toEqual([429, 'At most 1 in 60 seconds.']);
  expect((await ask(bought())).status).toBe(200);
  const third = await ask(bought());
  expect([third.status, third.body.error.hint]).toEqual([429, 'At most 3 in 60 seconds.']);
});
