import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import { ofOrganization, workflowContract } from './workflow.ts';

const CONNECTION = 'storeConnection/';
const SYNC = 'storeSync/';

/** The sealed key never enters a workflow. */
export type StoreConnectionInput = { orgId: string; connectionId: string };

export type StoreConnectionResult = { connectionId: string } & (
  | { ok: true; discoveredApps: number }
  | {
      ok: false;
      code: string;
      message: string;
      hint: string | null;
      retryAfterSeconds: number | null;
    }
);

export const storeConnectionContract = workflowContract({
  type: 'storeConnection',
  workflowId: ({ orgId }: StoreConnectionInput) => `${CONNECTION}${orgId}`,
  summary: ({ orgId }) => `Verify the store key of ${orgId}`,
  scope: ofOrganization,
});

export type SyncResult = {
  checked: number;
  rowsWritten: number;
  daysRemaining: number;
  coveredThrough: string | null;
  stoppedBecause: string | null;
  skipped: boolean;
  running?: boolean;
};

export type StoreSyncInput = {
  orgId: string;
  /** Carried through continue-as-new. */
  resume?: {
    lastRunEndMs: number | null;
    failures: number;
    waitMs: number;
    last: SyncResult;
    more: boolean;
    force: boolean;
  };
};

/** The organization's actor: one store request at a time. */
export const storeSyncContract = workflowContract({
  type: 'storeSync',
  workflowId: ({ orgId }: StoreSyncInput) => `${SYNC}${orgId}`,
  summary: ({ orgId }) => `Collect store reports of ${orgId}`,
  scope: ofOrganization,
});

export type PlayReportsInput = {
  orgId: string;
  /** The reports were listed by this run. */
  isListed?: boolean;
  /** Carried through continue-as-new. */
  read?: number;
};

export type PlayReportsRound = { files: number; rowsWritten: number; goesOn: boolean };

export const googlePlayReportsContract = workflowContract({
  type: 'googlePlayReports',
  workflowId: ({ orgId }: PlayReportsInput) => `googlePlayReports/${orgId}`,
  summary: ({ orgId }) => `Read the Google Play reports of ${orgId}`,
  scope: ofOrganization,
});

export type SyncRequest = { force: boolean };

export const syncUpdate = defineUpdate<SyncResult, [SyncRequest]>('sync');
export const progressQuery = defineQuery<SyncResult & { running: boolean }>('progress');
export const stopSignal = defineSignal('stop');
/** The key was replaced: ends waits and clears failures. */
export const reconnectedSignal = defineSignal('reconnected');

export type CollectInput = {
  orgId: string;
  force: boolean;
  /** By the clock of day states; null in the first batch. */
  beganAtMs: number | null;
  /** Subscription reports were refused, so the run skips them. */
  withoutTrials: boolean;
};

export type CollectResult = {
  beganAtMs: number;
  checked: number;
  rowsWritten: number;
  daysRemaining: number;
  coveredThrough: string | null;
  /** More is due and allowed now. */
  more: boolean;
  withoutTrials: boolean;
  stop: {
    because: string;
    message: string;
    invalid: boolean;
    /** Whether the store recognized the key; null or missing when unknown. */
    keyAccepted?: boolean | null;
    waitMs: number | null;
  } | null;
  ended: boolean;
};

export type FinishInput = {
  orgId: string;
  stop: CollectResult['stop'];
  checked: number;
  failures: number;
};

export const ratesRefreshContract = workflowContract({
  type: 'ratesRefresh',
  workflowId: (_input: { orgId: string }) => 'ratesRefresh',
  summary: () => 'Refresh the exchange rates',
  scope: ofOrganization,
});
