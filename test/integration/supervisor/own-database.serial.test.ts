import { expect, test } from 'bun:test';
import { createSecrets } from '../../../src/storage/secrets/secrets.ts';
import { type Instance, newDataDir, startInstance } from '../../support/instance.ts';
import { testDatabase } from '../../support/postgres.ts';
import { type } from '../../support/typed.ts';
import { until } from '../../support/until.ts';

const database = await testDatabase();
const keyOf = (byte: number) => Buffer.alloc(32, byte).toString('base64');
const [OLD, NEW] = [keyOf(1), keyOf(2)];
const idOf = (key: string) => createSecrets([key]).keyIds[0]!;
const scope = { orgId: 'org-one', purpose: 'webhook' };

const start = (dataDir: string, SECRETS_KEY: string) =>
  startInstance({
    dataDir,
    env: {
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      AUTH_SECRET: 'a-secret-for-tests-only-0123456789abcdef',
      SECRETS_KEY,
      S3_ENDPOINT: 'http://127.0.0.1:1',
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'secret',
    },
  });

async function insertWebhook(sealed: string): Promise<void> {
  await database.sql`
    INSERT INTO webhooks (webhook_id, org_id, url, events, sealed_secret, created_at)
    VALUES (${crypto.randomUUID()}, ${scope.orgId}, 'https://example.com', '{}', ${sealed}, now())`;
}

async function secretsOf(instance: Instance, apiKey: string) {
  const response = await fetch(`${instance.url}/v1/status`, { headers: { 'x-api-key': apiKey } });
  const { dependencies }: any = await response.json();
  return dependencies.find((one: { name: string }) => one.name === 'secrets');
}

test('commands typed as they stand find the database and the keys of the running service', async () => {
  const dataDir = newDataDir();
  let instance = await start(dataDir, `${NEW},${OLD}`);
  // The line that the start prints.
  const [line] = /DATA_DIR=.*bun run admin bootstrap .*--json/.exec(instance.errors()) ?? [];
  const made = await type(line!);
  expect([made.code, made.err]).toEqual([0, expect.anything()]);
  const { apiKey } = JSON.parse(made.out);

  // As the runbook restores in place: the service has the credentials of that bucket.
  const restore = `DATA_DIR=${dataDir} EVENTS_URL=s3://bucket/place bun run admin restore ${dataDir}/none --in-place`;
  expect((await type(restore)).err).toContain('There is no finished backup');

  await insertWebhook(createSecrets([OLD]).seal(scope, 'one'));
  const rotate = `DATA_DIR=${dataDir} bun run admin secrets rotate`;
  const refused = await type(rotate, { SECRETS_KEY: OLD });
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining(`The running service seals with key ${idOf(NEW)}`),
  ]);
  const { out, code } = await type(rotate);
  expect([code, out]).toEqual([0, expect.stringContaining('1 secrets sealed anew')]);
  expect(out).toContain(`Key ${idOf(NEW)}, the first of SECRETS_KEY, opens all of them`);
  expect(out).toContain(`can be dropped from SECRETS_KEY on every host: ${idOf(OLD)}.`);
  expect(await secretsOf(instance, apiKey)).toMatchObject({ status: 'up' });
  expect(await instance.stop()).toBe(0);

  // Dropped, and one secret that nobody has sealed anew.
  await insertWebhook(createSecrets([OLD]).seal(scope, 'two'));
  instance = await start(dataDir, NEW);
  await until('the log says so', async () =>
    instance.log().includes('1 stored secrets cannot be opened'),
  );
  expect(await secretsOf(instance, apiKey)).toMatchObject({ status: 'down' });
  const kept = await type(rotate);
  expect(kept.out).toContain('1 cannot be read with any key: drop none');
  await database.sql`DELETE FROM webhooks WHERE split_part(sealed_secret, '.', 2) = ${idOf(OLD)}`;
  expect(await secretsOf(instance, apiKey)).toMatchObject({ status: 'up' });
  expect((await type(rotate)).out).toContain('is the only one that is known here: it stays');
  expect(await instance.stop()).toBe(0);
});
