import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import { ofOrganization, workflowContract } from './workflow.ts';

const CONNECTION = 'storeConnection/';
const SYNC = 'storeSync/';

/** `connectionId` names a sealed key in the database; the key itself never enters a workflow. */
export type StoreConnectionInput = { orgId: string; connectionId: string };

/** How a verification ended; `code` is one of the service's error codes. */
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

/** Verifies a key with the store and makes it the organization's connection. */
export const storeConnectionContract = workflowContract({
  type: 'storeConnection',
  workflowId: ({ orgId }: StoreConnectionInput) => `${CONNECTION}${orgId}`,
  summary: ({ orgId }) => `Verify the store key of ${orgId}`,
  scope: ofOrganization,
});

/** Answer of a sync, and its count while it is running. */
export type SyncResult = {
  checked: number;
  rowsWritten: number;
  daysRemaining: number;
  coveredThrough: string | null;
  stoppedBecause: string | null;
  skipped: boolean;
  /** The run goes on although the answer was due. */
  running?: boolean;
};

export type StoreSyncInput = {
  orgId: string;
  /** Carried over when the actor continues as new. */
  resume?: {
    lastRunEndMs: number | null;
    failures: number;
    waitMs: number;
    last: SyncResult;
    /** A run is wanted at once. */
    more: boolean;
    force: boolean;
  };
};

/** The organization's actor: makes its store requests, one at a time. */
export const storeSyncContract = workflowContract({
  type: 'storeSync',
  workflowId: ({ orgId }: StoreSyncInput) => `${SYNC}${orgId}`,
  summary: ({ orgId }) => `Collect store reports of ${orgId}`,
  scope: ofOrganization,
});

export type SyncRequest = { force: boolean };

export const syncUpdate = defineUpdate<SyncResult, [SyncRequest]>('sync');
export const progressQuery = defineQuery<SyncResult & { running: boolean }>('progress');
export const stopSignal = defineSignal('stop');
/** Ends every wait and forgets every failure: the key was replaced. */
export const reconnectedSignal = defineSignal('reconnected');

export type CollectInput = {
  orgId: string;
  /** A member asked for fresh figures: all that is missing and the last week are asked for. */
  force: boolean;
  /** When the run began, by the clock that days are noted with; null for its first batch. */
  beganAtMs: number | null;
  /** Subscription reports were refused in this run: they are left out for the rest of it. */
  withoutTrials: boolean;
};

export type CollectResult = {
  beganAtMs: number;
  checked: number;
  rowsWritten: number;
  daysRemaining: number;
  coveredThrough: string | null;
  /** Something is due still, and nothing speaks against asking for it now. */
  more: boolean;
  withoutTrials: boolean;
  stop: {
    because: string;
    message: string;
    invalid: boolean;
    /** Whether the store took the key for one of its own; null or missing when it is not known. */
    keyAccepted?: boolean | null;
    waitMs: number | null;
  } | null;
  /** There is no connection any more: the actor ends. */
  ended: boolean;
};

export type FinishInput = {
  orgId: string;
  stop: CollectResult['stop'];
  /** Reports that the store was asked for in this run. */
  checked: number;
  /** Runs that failed one after the other, this one included. */
  failures: number;
};

/** Daily refresh of the exchange rates. */
export const ratesRefreshContract = workflowContract({
  type: 'ratesRefresh',
  workflowId: (_input: { orgId: string }) => 'ratesRefresh',
  summary: () => 'Refresh the exchange rates',
  scope: ofOrganization,
});
