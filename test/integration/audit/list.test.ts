import { beforeAll, expect, test } from 'bun:test';
import { testDatabase } from '../../support/postgres.ts';
import { createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const own = await createTestOrg(service);
const other = await createTestOrg(service);
const CSV = { accept: 'text/csv' };

const ask = async (query: string, headers: Record<string, string> = {}) =>
  service.call(`/v1/audit${query}`, { headers: { ...own.key, ...headers } });
const operationsOf = async (query: string): Promise<string[]> =>
  (await ask(query)).body.entries.map(({ operation }: { operation: string }) => operation);

let hookId = '';

beforeAll(async () => {
  const body = { url: 'https://example.com/hooks/one', events: ['app.created'] };
  for (const { key } of [own, other]) {
    const made = await service.call('/v1/webhooks', { headers: key, body });
    if (key === own.key) hookId = made.body.webhook.id;
  }
  const gone = { method: 'DELETE', headers: own.key };
  expect((await service.call(`/v1/webhooks/${hookId}`, gone)).status).toBe(204);
});

test('entries are found by kind, id, operation and day, of the own organization only', async () => {
  const both = ['deleteWebhook', 'createWebhook'];
  expect(await operationsOf('?of=webhooks')).toEqual(both);
  expect(await operationsOf(`?objectId=${hookId}`)).toEqual(both);
  expect(await operationsOf('?operation=createWebhook')).toEqual(['createWebhook']);
  expect(await operationsOf('?of=flags')).toEqual([]);
  expect(await operationsOf(`?of=webhooks&objectId=${own.orgId}x`)).toEqual([]);
  const today = new Date().toISOString().slice(0, 10);
  expect(await operationsOf(`?of=webhooks&from=${today}&to=${today}`)).toEqual(both);
  expect(await operationsOf(`?of=webhooks&to=2020-01-01`)).toEqual([]);
  expect(await operationsOf('?from=2999-01-01')).toEqual([]);
  expect((await ask('?from=yesterday')).status).toBe(400);
});

test('CSV has a line a change and goes on after the last id', async () => {
  const answer = await ask('?of=webhooks&limit=1', CSV);
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const [head, ...lines] = answer.text.trimEnd().split('\r\n');
  expect(head).toBe(
    'id,at,actorKind,actorId,operation,appId,of,objectId,before,after,address,userAgent,requestId',
  );
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain('"deleteWebhook"');
  expect(lines[0]).toContain('(secret)');
  expect(answer.text).not.toContain('hooks/one');
  const first = lines[0]?.match(/aud_[0-9a-z]{26}/)?.[0];
  const rest = await ask(`?of=webhooks&cursor=${first}`, CSV);
  expect(rest.text.trimEnd().split('\r\n')).toHaveLength(2);
});
