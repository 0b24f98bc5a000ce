import { expect, test } from 'bun:test';
import { startPlayService } from '../../../support/play-service.ts';
import { testDatabase } from '../../../support/postgres.ts';

const service = await startPlayService(await testDatabase(), { env: { RATE_LIMIT_SCALE: '1' } });
const { connected } = service;
const TEST = { testNotification: { version: '1.0' } };
const FORGED = { claims: { email: 'somebody@other.iam.gserviceaccount.com' } };

test('forged pushes are counted for their app: those of others come from the same addresses', async () => {
  const [target, other] = [await connected(), await connected()];
  for (let sent = 0; sent < 60; sent += 1) {
    expect((await service.push(target, TEST, FORGED)).status).toBe(401);
  }
  expect((await service.push(target, TEST)).status).toBe(429);
  expect((await service.push(other, TEST)).status).toBe(200);
});
