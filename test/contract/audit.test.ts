import { expect, test } from 'bun:test';
import { UNAUDITED } from '../../src/http/audited.ts';
import { makeOwned, PROBES } from '../support/access/probes.ts';
import { ACCESS } from '../support/access/table.ts';
import { sentExample } from '../support/example-body.ts';
import { type Operation, operationsOf } from '../support/openapi.ts';
import { createTestMember, createTestPerson, signInAs } from '../support/people.ts';
import { testDatabase } from '../support/postgres.ts';
import { createTestApp, createTestOrg, startTestService } from '../support/service.ts';
import { testTemporal } from '../support/temporal.ts';

const NOWHERE = 'http://127.0.0.1:1';
const service = await startTestService(await testDatabase(), {
  temporal: await testTemporal(),
  env: { SIGN_UP: 'open', STORE_API_URL: NOWHERE, STORE_SERVER_API_URL: NOWHERE },
});
const { sql } = service.deps;
const document = (await service.call('/openapi.json')).body;
const CHANGING = operationsOf(document).filter(
  ({ method, route, operationId }) =>
    method !== 'GET' && !UNAUDITED.has(operationId) && !ACCESS[route]?.who.includes('device'),
);
// Keeps the key that is being verified, also when the store, which is not here, does not answer.
const named = CHANGING.filter(({ operationId }) => operationId !== 'connectStore').map(
  (operation): [string, Operation] => [operation.operationId, operation],
);

const SECRET_NAME = /secret|password|token|private|credential|^(api|service)key$/i;
const told = new Map<string, string>();

/** Secrets by the names of their fields, at any depth. */
function noteSecrets(value: unknown, name = ''): void {
  if (typeof value === 'string' && SECRET_NAME.test(name) && value.length >= 8) {
    told.set(value, name);
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    noteSecrets(inner, Array.isArray(value) ? name : key);
  }
}

/** test/integration/audit/once.test.ts has them, but for reset, watch, demo and digests. */
const AS_MORE_THAN_EXAMPLES = [
  ...['acceptInvitation', 'cancelInvitation', 'rejectInvitation'],
  ...['changePassword', 'eraseAccount', 'resetPassword'],
  ...['confirmSecondFactor', 'removeSecondFactor', 'renewRecoveryCodes', 'setUpSecondFactor'],
  ...['deleteSignInProvider', 'setOrganizationSecurity', 'setSignInProvider'],
  ...['deleteExperimentOverride', 'setExperimentOverride', 'shipExperimentArm'],
  ...['createWatch', 'deleteDemo', 'endDigests', 'setNamedEntitlements', 'setOfferings'],
];
/** Of a store, a backend or a publisher, which is not here. */
const WITH_A_PROVIDER = [
  ...['connectBackend', 'connectPurchaseKey', 'connectSocialPlatform', 'createStoreWebhook'],
  ...['extendRenewal', 'importApp', 'linkStoreApp', 'refreshPurchaseCustomer'],
  ...['refreshPurchaseCustomerById', 'refreshSocialConnections', 'refreshStoreApps'],
  ...['requestStoreReports', 'setPurchaseAccountToken', 'signOfferForCustomer', 'syncSales'],
  ...['checkPlayConnection', 'connectPlayStore', 'testPurchaseConnection'],
  ...['connectGooglePlayAccount', 'readGooglePlayReports'],
];

/** A delivery, a session, or a thing that is not there or was so already. */
const CHANGE_NOTHING = [
  ...['redeliverWebhook', 'resendWebhookDeliveries', 'testDigestDestination', 'testWebhook'],
  ...['revokeOtherSessions', 'revokeSession', 'startPreview', 'stopPreview', 'updateFlag'],
  ...['deleteStoreWebhook', 'disconnectGooglePlayAccount', 'disconnectPlayStore'],
  ...['disconnectPurchaseKey', 'disconnectStore'],
];

const outcomes = new Map<string, number>();
const unchanged: string[] = [];

async function stage() {
  const org = await createTestOrg(service);
  const own = { ...org, app: await createTestApp(service, org.orgId) };
  const onboardings: string[] = [];
  for (const name of ['long', 'short']) {
    const path = `/v1/apps/${own.app.appId}/onboardings`;
    const made = await service.call(path, { headers: own.key, body: { name, config: {} } });
    onboardings.push(made.body.id);
  }
  return { service, own, other: own, principals: [], onboardings };
}

async function ask(operation: Operation) {
  const at = await stage();
  const { own, onboardings } = at;
  const access = ACCESS[operation.route];
  let path = operation.path.replace('{id}', own.app.appId);
  for (const [param, check] of Object.entries(access?.owns ?? {})) {
    path = path.replace(`{${param}}`, await makeOwned(check, at));
  }
  path = path.replaceAll(/\{\w+\}/g, 'nobody');
  const [{ slug = '' } = {}] = await sql<{ slug: string }[]>`
    SELECT slug FROM auth.organization WHERE id = ${own.orgId}`;
  const [{ app = '' } = {}] = await sql<{ app: string }[]>`
    SELECT slug AS app FROM apps WHERE app_id = ${own.app.appId}`;
  const queries: Record<string, string> = {
    deleteOrganization: `?confirm=${slug}`,
    deleteApp: `?confirm=${app}`,
  };
  const query = queries[operation.operationId] ?? PROBES[operation.route]?.query ?? '';
  const body = operation.requestBody
    ? sentExample(operation, { appId: own.app.appId, onboardings })
    : undefined;
  const member = await createTestMember(service, own, 'viewer');
  const [{ id: memberId = '' } = {}] = await sql<{ id: string }[]>`
    SELECT id FROM auth.member WHERE "userId" = ${member.userId}`;
  const ids = { memberId, memberIdOrEmail: memberId, organizationId: own.orgId };
  const filled =
    typeof body === 'object' && body !== null
      ? Object.fromEntries(
          Object.entries(body).map(([name, value]) => [
            name,
            Object.entries(ids).find(([key]) => key === name)?.[1] ?? value,
          ]),
        )
      : body;
  const headers = access?.who.includes('orgKey')
    ? own.key
    : access?.scope === 'none'
      ? operation.operationId === 'leaveOrganization'
        ? { cookie: member.cookie }
        : await signInAs(service, await createTestPerson(service))
      : await signInAs(service, own);
  noteSecrets(own);
  noteSecrets(filled);
  const answer = await service.call(`${path}${query}`, {
    method: operation.method,
    ...(access?.who.length !== 0 && { headers }),
    ...(filled !== undefined && { body: filled }),
  });
  noteSecrets(answer.body);
  for (const cookie of answer.headers.getSetCookie()) {
    const [pair = ''] = cookie.split(';');
    noteSecrets({ token: decodeURIComponent(pair.slice(pair.indexOf('=') + 1)) });
  }
  outcomes.set(operation.operationId, answer.status);
  return answer;
}

test.each(named)(
  '%s leaves one entry where it succeeds, none where it fails',
  async (id, operation) => {
    const answer = await ask(operation);
    const rows = await sql<{ operation: string; isEmpty: boolean }[]>`
    SELECT operation, changes = '[]' AS "isEmpty" FROM audit_entries
    WHERE request_id = ${answer.headers.get('x-request-id')}`;
    if (answer.status >= 300) {
      expect(rows).toHaveLength(0);
      return;
    }
    expect(rows.map((row) => row.operation)).toEqual([id]);
    if (rows[0]?.isEmpty) unchanged.push(id);
  },
);

test('which operations did not succeed here is known', () => {
  const failed = [...outcomes].filter(([, status]) => status >= 300).map(([name]) => name);
  expect(failed.toSorted()).toEqual([...AS_MORE_THAN_EXAMPLES, ...WITH_A_PROVIDER].toSorted());
});

test('which operations changed nothing that is kept is known', () => {
  expect(unchanged.toSorted()).toEqual(CHANGE_NOTHING.toSorted());
});

test('nothing that was secret in a question or an answer is in an entry or told by one', async () => {
  const rows = await sql<{ text: string }[]>`
    SELECT to_jsonb(entry)::text AS text FROM audit_entries AS entry`;
  const found = [...told].filter(([secret]) =>
    rows.some(({ text }) => text.includes(JSON.stringify(secret).slice(1, -1))),
  );
  expect(rows.length).toBeGreaterThan(80);
  expect(told.size).toBeGreaterThan(80);
  expect(found).toEqual([]);
});

test('an entry is neither changed nor deleted, and holds no secret', async () => {
  const { own } = await stage();
  const hook = { url: 'https://example.com/hooks/T0secret', events: ['app.created'] };
  const made = await service.call('/v1/webhooks', { headers: own.key, body: hook });
  const [{ text = '' } = {}] = await sql<{ text: string }[]>`
    SELECT string_agg(to_jsonb(entry)::text, '') AS text FROM audit_entries AS entry`;
  expect(text).toContain('(secret)');
  for (const secret of [made.body.secret, own.apiKey, own.app.serviceKey, 'T0secret']) {
    expect(text).not.toContain(secret);
  }
  const refused = 'Entries of the audit are neither changed nor deleted.';
  expect(sql`UPDATE audit_entries SET actor_id = 'x'`.execute()).rejects.toThrow(refused);
  expect(sql`DELETE FROM audit_entries`.execute()).rejects.toThrow(refused);
  expect(sql`TRUNCATE audit_entries`.execute()).rejects.toThrow(refused);
});

test('an erasure puts a pseudonym in place of the ids of the person', async () => {
  const { own } = await stage();
  const path = `/v1/apps/${own.app.appId}`;
  const body = { userId: 'marked-person', productId: 'pro' };
  await service.call(`${path}/purchases/grants`, { headers: own.key, body });
  const read = async () => (await service.call('/v1/audit', { headers: own.key })).body.entries;
  expect(JSON.stringify(await read())).toContain('"marked-person"');
  const gone = { method: 'DELETE', headers: own.key };
  expect((await service.call(`${path}/people/marked-person`, gone)).status).toBe(204);
  const entries = await read();
  expect(JSON.stringify(entries)).not.toContain('marked-person');
  expect(JSON.stringify(entries)).toContain('erased_');
  expect(entries[0].operation).toBe('erasePerson');
});
