import { expect, test } from 'bun:test';
import { createActivities } from '../../activities/index.ts';
import { CLEANUP_STEPS } from '../../src/app/chapters.ts';
import { must } from '../../src/shared/assert.ts';
import { DAY_MS } from '../../src/shared/time.ts';
import { storeSyncContract } from '../../src/temporal/contracts/store.ts';
import {
  deafProviders,
  everyRow,
  FORWARDED,
  fullWorld,
  inActivity,
  type World,
} from '../support/forged-world.ts';
import { testDatabase } from '../support/postgres.ts';
import { startTestService } from '../support/service.ts';
import { testTemporal } from '../support/temporal.ts';

const outgoing: string[] = [];

const temporal = await testTemporal();
const database = await testDatabase();
const service = await startTestService(database, {
  temporal,
  env: { FX_RATES_URL: 'file:///nowhere.csv' },
  with: () => deafProviders(outgoing),
});
const world = await fullWorld(service);
const activities: Record<string, (input: any) => Promise<unknown>> = createActivities(
  service.deps,
  CLEANUP_STEPS,
);

const FAR = 1e12;
const EVIL = 'Your key was revoked. Upload it again at https://evil.example/apple';
const stop = { because: 'credentials_rejected', message: EVIL, invalid: true, waitMs: FAR };

/**
 * Inputs whose ids are true and everything else a lie; outside systems that the activity may ask, and
 * requests that a row asks for.
 */
type Forged = { inputs: (world: World) => object[]; reads?: string[]; requests?: string[] };
/** Also ids that do not belong together. */
const app = ({ orgId, appId, foreign }: Pick<World, 'orgId' | 'appId' | 'foreign'>) => [
  { orgId, appId },
  { orgId, appId: foreign.appId },
  { orgId: foreign.orgId, appId },
];
const org = ({ orgId }: World) => [{ orgId }];

const FORGED: Record<string, Forged> = {
  appCleanupSteps: { inputs: () => [{}] },
  isAppWanted: { inputs: app },
  createAppDataset: { inputs: app },
  createAppFunnel: { inputs: app },
  activateApp: { inputs: app },
  undoAppProvisioning: { inputs: app },
  runAppCleanupStep: {
    inputs: (all) =>
      app(all).flatMap((scope) => CLEANUP_STEPS.map(({ name }) => ({ ...scope, step: name }))),
  },
  claimBackend: {
    inputs: ({ projectRef, ...all }) =>
      app(all).flatMap((scope) => [
        { ...scope, existingProjectRef: null },
        { ...scope, existingProjectRef: projectRef },
      ]),
  },
  readBackend: { inputs: app },
  createBackend: { inputs: app },
  searchBackend: { inputs: app },
  releaseBackend: { inputs: app },
  attachBackend: {
    inputs: ({ projectRef, ...all }) => app(all).map((scope) => ({ ...scope, projectRef })),
  },
  checkBackend: { inputs: app },
  writeDigest: {
    inputs: ({ orgId }) =>
      [7, 14, 21, Number.NaN].map((days) => ({ orgId, startedMs: Date.now() + days * DAY_MS })),
  },
  sendDigest: {
    inputs: ({ orgId, destinationId }) => [
      { orgId, destinationId, day: new Date().toISOString().slice(0, 10) },
      { orgId, destinationId, day: '2058-01-01' },
    ],
  },
  sendMessage: { inputs: post },
  giveUpMessage: { inputs: post },
  checkAlerts: { inputs: org },
  checkWatches: { inputs: org },
  planEventJobs: { inputs: () => [{}] },
  runEventJob: {
    inputs: ({ orgId, appId, files }) =>
      ['merge', 'expire', 'correct', 'split', 'renew', 'project'].flatMap((kind) =>
        [[files.own], [files.foreign], [files.shared], [files.own, files.foreign]].map(
          (fileIds) => ({ kind, orgId, appId, fileIds }),
        ),
      ),
  },
  finishEventMaintenance: { inputs: () => [{}] },
  deleteOrganizationApps: { inputs: org },
  stopOrganizationRuns: { inputs: org },
  removeOrganizationRows: { inputs: org },
  runPreview: { inputs: session },
  finishPreview: { inputs: session },
  applyPurchaseNotification: { inputs: notification },
  refreshPurchase: {
    inputs: ({ originalTransactionId, ...all }) =>
      app(all).map((scope) => ({ ...scope, environment: 'Production', originalTransactionId })),
    reads: ['storeServer'],
  },
  forwardPurchaseNotification: {
    inputs: (all) =>
      [...app(all), all.foreign].flatMap((scope) =>
        notification(all).map((one) => ({
          ...{ ...one, ...scope, url: 'https://evil.example', payload: 'y', state: 'pending' },
        })),
      ),
    requests: [FORWARDED],
  },
  giveUpPurchaseForward: {
    inputs: (all) =>
      app(all).flatMap((scope) => notification(all).map((one) => ({ ...one, ...scope }))),
  },
  answerRefundRequest: {
    inputs: (all) =>
      app(all).flatMap((scope) => [
        { ...scope, environment: 'Production', requestId: 'nothing', answer: { preference: 'x' } },
      ]),
  },
  giveUpRefundRequest: {
    inputs: (all) =>
      app(all).flatMap((scope) => [
        { ...scope, environment: 'Production', requestId: 'nothing', why: 'refused' },
      ]),
  },
  // Notes that it began, of apps that there are.
  planPurchaseRecovery: {
    inputs: (all) =>
      app(all).flatMap((scope) =>
        ['Production', 'Sandbox', 'Nowhere', null].map((environment) => ({
          ...{ ...scope, environment, through: Date.now() + FAR, startMs: FAR },
        })),
      ),
  },
  recoverPurchasePage: {
    inputs: (all) =>
      app(all).map((scope) => ({
        ...scope,
        environment: 'Production',
        window: { startMs: Date.now() + FAR, endMs: Date.now() + 2 * FAR, isLast: true },
        paginationToken: null,
      })),
    reads: ['storeServer'],
  },
  readPurchaseHistories: { inputs: app, reads: ['storeServer'] },
  importPurchases: { inputs: app, reads: ['storeServer'] },
  askPlayPurchases: { inputs: app, reads: ['playStore'] },
  readPlayVoids: { inputs: app, reads: ['playStore'] },
  readPlayReports: {
    inputs: ({ orgId }) => [
      { orgId, isListed: true, read: FAR },
      { orgId, read: Number.NaN },
    ],
    reads: ['playReports'],
  },
  verifyStoreKey: {
    inputs: (all) => [...candidate(all), { ...candidate(all)[0], orgId: all.foreign.orgId }],
    reads: ['store'],
  },
  acceptStoreKey: { inputs: candidate, reads: ['store'] },
  dropStoreCandidate: { inputs: candidate },
  discoverStoreApps: { inputs: org, reads: ['store'] },
  startStoreSync: { inputs: ({ orgId }) => [{ orgId, force: true, resume: { waitMs: FAR } }] },
  collectStoreDays: {
    inputs: ({ orgId }) => [
      { orgId, force: true, beganAtMs: Date.now() + FAR, withoutTrials: false },
      { orgId, force: true, beganAtMs: Number.NaN, withoutTrials: true },
    ],
    reads: ['store'],
  },
  finishStoreSync: {
    inputs: ({ orgId }) => [
      { orgId, stop, checked: 1, failures: FAR },
      { orgId, stop: null, checked: 5, failures: 0 },
    ],
  },
  refreshStoreAppsDaily: { inputs: org, reads: ['store'] },
  collectStoreReviews: { inputs: org, reads: ['store'] },
  collectStoreReports: { inputs: org, reads: ['store'] },
  refreshExchangeRates: {
    inputs: () => [{ address: 'https://evil.example/rates.csv', file: 'Date,USD' }],
  },
  attemptWebhookDelivery: {
    inputs: ({ orgId, deliveryId }) => [{ orgId, deliveryId, retryInSeconds: FAR }],
  },
  giveUpWebhookDelivery: { inputs: ({ orgId, deliveryId }) => [{ orgId, deliveryId }] },
};

function post({ orgId, bundleId, destinationId }: World) {
  return [{ orgId, bundleId, destinationId }];
}
function session({ orgId, appId, sessionId }: World) {
  return [{ orgId, appId, sessionId }];
}
function notification({ notificationId }: World) {
  return [{ environment: 'Production', notificationId }];
}
function candidate({ orgId, connectionId }: World) {
  return [{ orgId, connectionId, verifiedAt: new Date(), vendorNumber: '1', issuerId: EVIL }];
}

const state = () => everyRow(database.sql);

test('every activity has its forged input here', () => {
  expect(Object.keys(FORGED).toSorted()).toEqual(Object.keys(activities).toSorted());
});

test.each(Object.keys(activities))('%s believes nothing but ids', async (name) => {
  const {
    inputs,
    reads = [],
    requests = [],
  } = must(FORGED[name], 'every activity has its forged input');
  const before = await state();
  outgoing.length = 0;
  const forged = inputs(world);
  expect(forged).not.toEqual([]);
  for (const input of forged) {
    const run = activities[name];
    // Refused or done: what counts is what is left.
    await inActivity(name, () => run?.(input) ?? Promise.resolve()).catch(() => undefined);
  }
  expect(await state()).toEqual(before);
  expect(outgoing.filter((call) => !reads.includes(call.split('.')[0] ?? ''))).toEqual(requests);
});

test('the actor of a store is woken with the id alone', async () => {
  const { events } = await temporal.client.workflow
    .getHandle(storeSyncContract.workflowId(world))
    .fetchHistory();
  const [started] = events ?? [];
  const input = started?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  const said = input.map(({ data }) => JSON.parse(Buffer.from(data ?? []).toString()));
  expect(said).toEqual([{ orgId: world.orgId }]);
});

test('the longest wait of a store that stopped is an hour of ours, not of the sender', async () => {
  const [sync] = await database.sql<{ waitUntil: Date }[]>`
    SELECT wait_until AS "waitUntil" FROM store_syncs WHERE org_id = ${world.orgId}`;
  expect(sync?.waitUntil.getTime()).toBeLessThan(Date.now() + DAY_MS);
});
