import { afterEach, describe, expect, test } from 'bun:test';
import { createAuthenticator } from '../../../src/modules/identity/auth/authenticator.ts';
import { LOG_GRACE_MS } from '../../../src/modules/logs/routes.ts';
import { MINUTE_MS } from '../../../src/shared/time.ts';
import { cuttableProxy } from '../../support/cuttable-proxy.ts';
import { signInAs } from '../../support/people.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestOrg, startTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const database = await testDatabase();
const proxy = await cuttableProxy(database.url);
const service = await startTestService(database, { env: { DATABASE_URL: proxy.url } });
let nowMs = Date.now();
const authenticator = createAuthenticator({
  auth: service.deps.identity.auth,
  sql: service.deps.sql,
  clock: () => new Date(nowMs),
});

async function mend(): Promise<void> {
  proxy.mend();
  const answers = () => service.deps.sql`SELECT 1`.then(Boolean, () => false);
  await until('the database answers', answers);
}

const grace = { graceMs: LOG_GRACE_MS };
const away = { code: 'unavailable' };

// Made before the first outage: right after one, a connection of the pool may still be a dead one.
const people = await Promise.all(
  [1, 2, 3, 4, 5, 6].map(async () => {
    const org = await createTestOrg(service);
    return { org, key: org.apiKey, headers: new Headers(await signInAs(service, org)) };
  }),
);
function somebody() {
  const person = people.pop();
  if (!person) throw new Error('Make more people at the top of this file.');
  return person;
}

async function verified() {
  const { key, headers } = somebody();
  const known = async () =>
    (await authenticator.orgKey(key)) && (await authenticator.session(headers));
  await until('both are verified', () => known().catch(() => null));
  return { key, headers };
}

afterEach(mend);

describe('while the database is away', () => {
  test('who was verified a moment ago counts, then for logs only, then no more', async () => {
    const { key, headers } = await verified();
    proxy.cut();
    expect(await authenticator.orgKey(key)).not.toBeNull();
    expect(await authenticator.session(headers)).not.toBeNull();

    nowMs += 9 * MINUTE_MS;
    await expect(authenticator.orgKey(key)).rejects.toMatchObject(away);
    await expect(authenticator.session(headers)).rejects.toMatchObject(away);
    expect(await authenticator.orgKey(key, grace)).toMatchObject({ kind: 'orgKey' });
    expect(await authenticator.session(headers, grace)).toMatchObject({ kind: 'session' });

    nowMs += 2 * MINUTE_MS;
    await expect(authenticator.orgKey(key, grace)).rejects.toMatchObject(away);
    await expect(authenticator.session(headers, grace)).rejects.toMatchObject(away);
  });

  test('who is unknown is answered 503, never 401', async () => {
    const { org } = somebody();
    proxy.cut();
    await expect(authenticator.orgKey(`svk_${'q'.repeat(64)}`, grace)).rejects.toMatchObject(away);
    const answer = await service.call('/v1/apps', { headers: org.key });
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } });
    expect(answer.headers.get('retry-after')).toBe('5');
  });

  test('the status says so to whoever was verified a moment ago', async () => {
    const { org } = somebody();
    const before = await service.call('/v1/status', { headers: org.key });
    expect(before.status).toBe(200);
    proxy.cut();
    const { status, body } = await service.call('/v1/status', { headers: org.key });
    expect(status).toBe(200);
    expect(body.dependencies).toContainEqual(
      expect.objectContaining({ name: 'postgres', status: 'down' }),
    );
  });

  test('what no key can look like stays 401', async () => {
    proxy.cut();
    expect(await authenticator.orgKey('garbage')).toBeNull();
    expect(
      await authenticator.session(new Headers({ cookie: 'better-auth.session_token=x.y' })),
    ).toBeNull();
  });

  test('that hangs, the unknown are not kept waiting for long', async () => {
    const { org } = somebody();
    proxy.freeze();
    await expect(authenticator.orgKey(org.apiKey)).rejects.toMatchObject(away);
  });

  test('sign-in is 503', async () => {
    const { org } = somebody();
    proxy.cut();
    const body = { email: org.email, password: org.password };
    const answer = await service.call('/v1/auth/sign-in/email', { body });
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } });
  });

  test('and comes back, everything counts again', async () => {
    const { key } = await verified();
    proxy.cut();
    nowMs += MINUTE_MS;
    await expect(authenticator.orgKey(key)).rejects.toMatchObject(away);
    await mend();
    let found = null;
    while (!found) found = await authenticator.orgKey(key).catch(() => null);
    expect(found).toMatchObject({ kind: 'orgKey' });
  });
});
