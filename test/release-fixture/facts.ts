import { join } from 'node:path';
import { ROOT } from '../support/sources.ts';

export const MODES = ['plain', 'encrypted'] as const;
export type Mode = (typeof MODES)[number];

export type Headers = Record<string, string>;

/** A question to a read route, and what the release answered. */
export type Read = { name: string; path: string; headers: Headers; answer: unknown };

export type OpenRun = { workflowId: string; runId: string; type: string };

/** Keys that outside systems gave out; their simulators know them again. */
export type GivenKey = { issuerId: string; keyId: string; privateKey: string };

export type WorldKeys = { store: GivenKey; purchases: GivenKey; backendToken: string };

/** What is known of the installation beside its files. Every secret in it is made up. */
export type Facts = {
  release: string;
  mode: Mode;
  madeAt: string;
  env: Record<string, string>;
  keys: WorldKeys;
  /** Of the store's simulated chain of certificates. */
  rootPem: string;
  orgId: string;
  appId: string;
  bundleId: string;
  org: Headers;
  device: Headers;
  session: Headers;
  password: { email: string; resetToken: string };
  memberInvitation: { email: string; id: string };
  signUpInvitation: { email: string; id: string };
  webhookSecret: string;
  forwardSecret: string;
  /** Of a creation that never got an answer, and of one that is not healthy yet. */
  backends: { appId: string; name: string; ref: string | null }[];
  previewAppId: string;
  provisioningAppId: string;
  deletedAppId: string;
  deletedOrgId: string;
  /** Organizations whose store is being read for the first time, or verified. */
  backfillOrgId: string;
  verifyingOrgId: string;
  notificationUserId: string;
  /** A batch of the sealed and one of the unsealed log; sending them again adds nothing. */
  batches: unknown[];
  reads: Read[];
  openRuns: OpenRun[];
};

export const FIXTURES = join(ROOT, 'test/fixtures/releases');

export const archivePath = (release: string, mode: Mode) =>
  join(FIXTURES, release, `${mode}.tar.gz`);
export const factsPath = (release: string, mode: Mode) => join(FIXTURES, release, `${mode}.json`);

/** The folders of an archive. */
export const PARTS = { database: 'database', data: 'data', temporal: 'temporal.db' } as const;
/** The list of tables beside the dump. */
export const DUMP = 'dump.json';
