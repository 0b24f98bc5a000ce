import { describe, expect, test } from 'bun:test';
import { notificationPayload, transactionPayload } from '../../simulators/store-server/payloads.ts';
import { dereferenced } from '../../support/openapi.ts';
import { testDatabase } from '../../support/postgres.ts';
import { startPurchaseService } from '../../support/purchase-service.ts';

const service = await startPurchaseService(await testDatabase());
const { store } = service;
const app = await service.app();
const document = dereferenced<any>((await service.call('/openapi.json')).body);

const jws = store.sign(transactionPayload({ bundleId: app.bundleId }));
const data = { bundleId: app.bundleId, bundleVersion: '1', environment: 'Sandbox' };
const signedPayload = store.sign(notificationPayload({ notificationType: 'TEST', data }));
const more = { sdkVersion: '9.1', nested: { of: ['a', 'later', 'release'] } };

describe('a field that this release does not know', () => {
  const { device } = app;
  test.each([
    ['/v1/purchases/verify', { headers: device, body: { signedTransaction: jws, ...more } }],
    ['/v1/purchases/notifications', { body: { signedPayload, ...more } }],
    ['/v1/purchases/entitlement?userId=u1&sdkVersion=9.1&__proto__=x', { headers: device }],
    ['/v1/experiments?anonymousId=somebody-1&sdkVersion=9.1&a[b]=c', { headers: device }],
  ])('is ignored by %s', async (path, call) => {
    expect((await service.call(path, call)).status).toBe(200);
  });

  test('does not stand for one that it does know', async () => {
    const answers = [
      await service.call('/v1/purchases/verify', { headers: device, body: { ...more } }),
      await service.call('/v1/purchases/entitlement?user=u1', { headers: device }),
      await service.call('/v1/experiments?anonymous=somebody-1', { headers: device }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect((await service.call('/v1/purchases/notifications', { body: { ...more } })).status).toBe(
      400,
    );
  });

  test('is refused as a slip of those who write against the interface', async () => {
    const answer = await service.call(`/v1/apps/${app.appId}/purchases/settings`, {
      method: 'PATCH',
      headers: app.org.key,
      body: { ownerships: 'keep' },
    });
    expect(answer.body.error.hint).toBe('ownerships: is not a field of this request');
  });

  test('is said to be possible in the OpenAPI document', () => {
    for (const path of ['/v1/purchases/verify', '/v1/purchases/notifications']) {
      const { content } = document.paths[path].post.requestBody;
      const { schema } = content['application/json'];
      for (const one of schema.anyOf ?? [schema]) expect(one.additionalProperties).toBe(true);
    }
  });
});
