import { describe, expect, test } from 'bun:test';
import { testDatabase } from '../../support/postgres.ts';
import {
  createTestApp,
  createTestKey,
  createTestOrg,
  startTestService,
} from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const org = await createTestOrg(service);
const other = await createTestOrg(service);

describe('apps', () => {
  test('an app is created, read, listed and deleted', async () => {
    const made = await service.call('/v1/apps', {
      headers: org.key,
      body: { slug: 'focus-timer', displayName: 'Focus ⏱️' },
    });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      orgId: org.orgId,
      slug: 'focus-timer',
      displayName: 'Focus ⏱️',
      region: 'us-east-1',
      status: 'provisioning',
      source: 'built_here',
      bundleId: null,
      storeAppId: null,
      iconUrl: null,
      store: null,
      backend: null,
    });
    const { id } = made.body;
    expect(id).toMatch(/^app_[0-9a-z]{26}$/);

    const read = await service.call(`/v1/apps/${id}`, { headers: org.key });
    expect(read.body).toEqual(made.body);
    const list = await service.call('/v1/apps', { headers: org.key });
    expect(list.body).toEqual([made.body]);

    const mismatch = await service.call(`/v1/apps/${id}?confirm=other`, {
      method: 'DELETE',
      headers: org.key,
    });
    expect(mismatch.status).toBe(400);
    expect(mismatch.body.error.code).toBe('confirmation_mismatch');

    const gone = await service.call(`/v1/apps/${id}?confirm=focus-timer`, {
      method: 'DELETE',
      headers: org.key,
    });
    expect(gone.status).toBe(200);
    expect(gone.body).toMatchObject({ deleted: true, id, displayName: 'Focus ⏱️' });
    expect(gone.body.note).toContain('sales');
    expect((await service.call(`/v1/apps/${id}`, { headers: org.key })).status).toBe(404);
    expect((await service.call('/v1/apps', { headers: org.key })).body).toEqual([]);
  });

  test('a slug is unique in its organization, and free again after a deletion', async () => {
    const body = { slug: 'same-slug', displayName: 'A' };
    const first = await service.call('/v1/apps', { headers: org.key, body });
    expect(first.status).toBe(201);
    const second = await service.call('/v1/apps', { headers: org.key, body });
    expect(second.status).toBe(409);
    expect(second.body.error.code).toBe('slug_taken');
    expect((await service.call('/v1/apps', { headers: other.key, body })).status).toBe(201);
    await service.call(`/v1/apps/${first.body.id}`, { method: 'DELETE', headers: org.key });
    expect((await service.call('/v1/apps', { headers: org.key, body })).status).toBe(201);
  });

  test.each([
    [{ displayName: 'x' }, 'slug'],
    [{ slug: 'ab', displayName: 'x' }, 'slug'],
    [{ slug: 'Upper', displayName: 'x' }, 'slug'],
    [{ slug: 'ends-', displayName: 'x' }, 'slug'],
    [{ slug: 'a'.repeat(41), displayName: 'x' }, 'slug'],
    [{ slug: 'good-slug', displayName: '' }, 'displayName'],
    [{ slug: 'good-slug', displayName: 'x'.repeat(81) }, 'displayName'],
    [{ slug: 'good-slug', displayName: 'a\u0000b' }, 'displayName'],
    [{ slug: 'good-slug', displayName: 'x', region: 'mars' }, 'region'],
    [{ slug: 'good-slug', displayName: 'x', regoin: 'eu-west-1' }, 'regoin'],
  ])('%j is refused, naming the field', async (body, field) => {
    const answer = await service.call('/v1/apps', { headers: org.key, body });
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe('invalid_input');
    expect(answer.body.error.hint).toStartWith(`${field}: `);
  });

  test('80 emoji are 80 characters', async () => {
    const body = { slug: 'emoji-app', displayName: '🎉'.repeat(80) };
    expect((await service.call('/v1/apps', { headers: org.key, body })).status).toBe(201);
  });

  test("another organization's app answers as one that never existed", async () => {
    const { appId } = await createTestApp(service, org.orgId);
    const answers = await Promise.all(
      [appId, 'app_00000000000000000000000000', 'x'.repeat(500), 'a%00b', '..%2f'].map((id) =>
        service.call(`/v1/apps/${id}`, { headers: other.key }),
      ),
    );
    for (const answer of answers) expect(answer.status).toBe(404);
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  });

  test('ownership comes before permission', async () => {
    const reader = await createTestKey(service, org, ['app:read']);
    const { appId } = await createTestApp(service, org.orgId);
    const call = (id: string) =>
      service.call(`/v1/apps/${id}`, { method: 'DELETE', headers: reader });
    expect((await call(appId)).status).toBe(403);
    expect((await call('app_00000000000000000000000000')).status).toBe(404);
  });
});

describe('publishable keys', () => {
  test('a key is shown once, listed without its secret, and revoked', async () => {
    const { appId } = await createTestApp(service, org.orgId);
    const path = `/v1/apps/${appId}/keys`;
    const made = await service.call(path, { headers: org.key, body: { name: 'iOS' } });
    expect(made.status).toBe(201);
    expect(made.body.secret).toMatch(/^svp_[A-Za-z0-9_-]{49}$/);
    expect(made.body.secret.startsWith(made.body.key.prefix)).toBe(true);

    const unnamed = await service.call(path, { method: 'POST', headers: org.key });
    expect(unnamed.body.key.name).toBe('');

    const { id } = made.body.key;
    const gone = await service.call(`${path}/${id}`, { method: 'DELETE', headers: org.key });
    expect(gone.status).toBe(204);
    expect(gone.text).toBe('');
    const list = await service.call(path, { headers: org.key });
    expect(list.text).not.toContain(made.body.secret);
    expect(list.body.find((key: { id: string }) => key.id === id).revokedAt).toBeString();
    const again = await service.call(`${path}/${id}`, { method: 'DELETE', headers: org.key });
    expect(again.status).toBe(204);
  });

  test('a key of another app is not found', async () => {
    const one = await createTestApp(service, org.orgId);
    const two = await createTestApp(service, org.orgId);
    const made = await service.call(`/v1/apps/${one.appId}/keys`, {
      headers: org.key,
      body: { name: 'one' },
    });
    const crossed = await service.call(`/v1/apps/${two.appId}/keys/${made.body.key.id}`, {
      method: 'DELETE',
      headers: org.key,
    });
    expect(crossed.status).toBe(404);
  });
});
