import { describe, expect, test } from 'bun:test';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { makeOwned } from '../support/access/probes.ts';
import { ACCESS } from '../support/access/table.ts';
import { sentExample } from '../support/example-body.ts';
import { answerNoQuestions } from '../support/no-query-process.ts';
import { type Operation, operationsOf } from '../support/openapi.ts';
import { signInAs } from '../support/people.ts';
import { testDatabase } from '../support/postgres.ts';
import {
  createFlagKey,
  createTestApp,
  createTestOrg,
  startTestService,
} from '../support/service.ts';

const NOWHERE = 'http://127.0.0.1:1';
const service = await startTestService(await testDatabase(), {
  env: {
    SIGN_UP: 'open',
    STORE_API_URL: NOWHERE,
    STORE_SERVER_API_URL: NOWHERE,
    STORE_SERVER_SANDBOX_API_URL: NOWHERE,
  },
});
answerNoQuestions(service);
const org = await createTestOrg(service);
const own = { ...org, app: await createTestApp(service, org.orgId) };
const owner = await signInAs(service, org);
const stage = { service, own, other: own, principals: [] };
const document = (await service.call('/openapi.json')).body;
const ajv = new Ajv2020({ strict: false });
addFormats(ajv);

const media = (operation: Operation) => operation.requestBody.content['application/json'];
const withBody = operationsOf(document)
  .filter(({ requestBody }) => requestBody)
  .map((operation): [string, Operation] => [operation.operationId, operation]);

/**
 * What the example needs beyond its form, and so cannot have here: the answer then says that, and
 * nothing of the form.
 */
const BEYOND_THE_FORM: Readonly<Record<string, [number, string]>> = {
  // Secrets that were mailed, signatures of the store, and ids that only a running service gives.
  resetPassword: [400, 'token: ask for a new one'],
  verifyPurchase: [400, 'invalid_transaction'],
  signOffer: [400, 'invalid_transaction'],
  signOfferForCustomer: [403, 'permission_denied'],
  extendRenewal: [404, 'not_found'],
  setPurchaseAccountToken: [404, 'not_found'],
  receiveStoreNotification: [401, 'invalid_signature'],
  receiveStoreWebhook: [404, 'not_found'],
  receivePlayNotification: [404, 'not_found'],
  endCompanySessions: [401, 'invalid_signature'],
  joinCompany: [404, 'not_found'],
  requestStoreReports: [404, 'store_app_not_found'],
  createStoreWebhook: [404, 'store_app_not_found'],
  eraseAccount: [400, 'confirmation_mismatch'],
  setUpSecondFactor: [400, 'currentPassword: must be the password of this account'],
  confirmSecondFactor: [409, 'conflict'],
  removeSecondFactor: [409, 'conflict'],
  renewRecoveryCodes: [409, 'conflict'],
  signInWithCode: [401, 'not_signed_in'],
  setOrganizationSecurity: [409, 'conflict'],
  acceptInvitation: [404, 'not_found'],
  readInvitation: [404, 'not_found'],
  rejectInvitation: [404, 'not_found'],
  leaveOrganization: [404, 'not_found'],
  removeMember: [404, 'not_found'],
  updateMemberRole: [404, 'not_found'],
  refreshPurchaseCustomerById: [404, 'not_found'],
  createWatch: [400, 'questionId: must be a saved question of this app'],
  shipExperimentArm: [400, 'armId: must be an arm of this experiment'],
  setExperimentOverride: [400, 'armId: must be an arm of this experiment'],
  setNamedEntitlements: [
    400,
    'entitlements[0].productIds[0]: must be a product of the store, or one that was bought or reported: pro.monthly is not known',
  ],
  setOfferings: [
    400,
    'offerings[0].packages[0].productIds[0]: must be a product of the app: pro.yearly is not known',
  ],
  // Outside systems that no test has.
  setSignInProvider: [
    400,
    'issuer: cannot be read: The name resolves to no address on the public internet.',
  ],
  requestPasswordReset: [503, 'provider_not_configured'],
  connectBackend: [404, 'not_found'],
  connectPurchaseKey: [409, 'conflict'],
  connectPlayStore: [400, 'serviceAccount: must be the JSON key of a Google service account'],
  checkPlayConnection: [404, 'store_not_connected'],
  connectGooglePlayAccount: [
    400,
    'serviceAccount: must be the JSON key of a Google service account',
  ],
  readGooglePlayReports: [404, 'store_not_connected'],
  testPurchaseConnection: [404, 'not_found'],
  importApp: [404, 'store_app_not_found'],
  linkStoreApp: [404, 'store_app_not_found'],
  answerQuestion: [503, 'unavailable'],
  listQuestionPeople: [503, 'unavailable'],
  describePeople: [503, 'unavailable'],
  previewSegment: [503, 'unavailable'],
  askSql: [503, 'unavailable'],
  syncSales: [404, 'store_not_connected'],
};

const onboardings: string[] = [];
for (const name of ['long', 'short']) {
  const path = `/v1/apps/${stage.own.app.appId}/onboardings`;
  const made = await service.call(path, { headers: stage.own.key, body: { name, config: {} } });
  onboardings.push(made.body.id);
}

/** The example with days and ids of this service in place of those that it shows. */
const sent = (operation: Operation): unknown =>
  sentExample(operation, { appId: stage.own.app.appId, onboardings });

async function pathOf(operation: Operation): Promise<string> {
  let path = operation.path.replace('{id}', stage.own.app.appId).replace('{key}', 'new_checkout');
  for (const [param, check] of Object.entries(ACCESS[operation.route]?.owns ?? {})) {
    path = path.replace(`{${param}}`, await makeOwned(check, stage));
  }
  return path;
}

/** The session of the account of the examples, once it has signed up. */
let account: Record<string, string> = {};

const flagSecret = await createFlagKey(service, stage.own.orgId, stage.own.app.appId);
const flagKey = { 'x-api-key': flagSecret };

function headersFor({ route }: Operation): Record<string, string> {
  const who = ACCESS[route]?.who ?? [];
  if (who.includes('device')) return stage.own.app.device;
  if (who.includes('flagKey')) return flagKey;
  if (who.includes('orgKey')) return stage.own.key;
  if (!who.includes('session')) return {};
  return ACCESS[route]?.scope === 'none' ? account : owner;
}

describe('the example of a body', () => {
  test.each(withBody)('of %s fits its schema', (_, operation) => {
    const { schema, example } = media(operation);
    const hint = 'give the schema of the body `examples: [{ … }]`';
    expect(example, hint).toBeDefined();
    const fits = ajv.compile({ ...schema, components: document.components });
    expect(fits(example), ajv.errorsText(fits.errors)).toBe(true);
  });

  // Waits for Temporal, which is not here; test/integration/store connects a key of this form.
  const answered = withBody.filter(([operationId]) => operationId !== 'connectStore');

  test.each(answered)('of %s is taken by the running service', async (operationId, operation) => {
    const answer = await service.call(await pathOf(operation), {
      method: operation.method,
      headers: headersFor(operation),
      body: sent(operation),
    });
    const cookies = answer.headers.getSetCookie().map((one) => one.split(';')[0]);
    if (cookies.length > 0) account = { cookie: cookies.join('; ') };
    const beyond = BEYOND_THE_FORM[operationId];
    const hint = `${answer.text}; an example that cannot work here stands in BEYOND_THE_FORM`;
    if (beyond === undefined) return expect(Math.floor(answer.status / 100), hint).toBe(2);
    const [status, said] = beyond;
    expect(answer.status, hint).toBe(status);
    expect([answer.body.error.code, answer.body.error.hint]).toContain(said);
  });
});
