import { defineUpdate } from '@temporalio/workflow';
import { ofApp, workflowContract } from './workflow.ts';

export type BackendRunInput = { orgId: string; appId: string };

/** Null creates a project. */
export type BackendQuestion = { existingProjectRef: string | null };

export type BackendRefusal = {
  kind: 'refused';
  code:
    | 'not_found'
    | 'conflict'
    | 'provider_rejected'
    | 'provider_not_configured'
    | 'secret_storage_unavailable'
    | 'unavailable';
  hint: string;
  /** Null when a retry is pointless. */
  retryAfterSeconds: number | null;
};

export type BackendConnected = { kind: 'connected'; projectRef: string; url: string };
export type BackendOutcome = BackendConnected | BackendRefusal;

/** `uncertain`: a project was requested, without a response. */
export type BackendKnown =
  | { kind: 'none' }
  | { kind: 'uncertain' }
  | (BackendConnected & { isHealthy: boolean });

export type BackendClaim =
  | BackendOutcome
  | { kind: 'create' }
  | { kind: 'search' }
  | { kind: 'attach'; projectRef: string };

/** `unknown`: the project may exist without a response. */
export type BackendCreation = BackendOutcome | { kind: 'unknown' };

/** Searches for a project whose creation got no response, and waits for health. */
export const backendProvisioningContract = workflowContract({
  type: 'backendProvisioning',
  workflowId: ({ appId }: BackendRunInput) => `backendProvisioning/${appId}`,
  summary: ({ appId }) => `Backend project of ${appId}`,
  scope: ofApp,
});

export const connectBackendUpdate = defineUpdate<BackendOutcome, [BackendQuestion]>(
  'connectBackend',
);
