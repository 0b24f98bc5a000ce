import { defineUpdate } from '@temporalio/workflow';
import { ofApp, workflowContract } from './workflow.ts';

export type BackendRunInput = { orgId: string; appId: string };

/** Null asks for a project of the app's own. */
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
  /** Null when waiting changes nothing. */
  retryAfterSeconds: number | null;
};

export type BackendConnected = { kind: 'connected'; projectRef: string; url: string };
export type BackendOutcome = BackendConnected | BackendRefusal;

/** What is certain about the app's project. `uncertain`: one was asked for and no answer came. */
export type BackendKnown =
  | { kind: 'none' }
  | { kind: 'uncertain' }
  | (BackendConnected & { isHealthy: boolean });

/** What has to be done for a question about a backend. */
export type BackendClaim =
  | BackendOutcome
  | { kind: 'create' }
  | { kind: 'search' }
  | { kind: 'attach'; projectRef: string };

/** `unknown`: the project may exist although no answer says so. */
export type BackendCreation = BackendOutcome | { kind: 'unknown' };

/**
 * The actor of an app's backend: answers `connectBackend` once a project is certain, goes on looking
 * for one whose creation got no answer, and waits until it is healthy.
 */
export const backendProvisioningContract = workflowContract({
  type: 'backendProvisioning',
  workflowId: ({ appId }: BackendRunInput) => `backendProvisioning/${appId}`,
  summary: ({ appId }) => `Backend project of ${appId}`,
  scope: ofApp,
});

export const connectBackendUpdate = defineUpdate<BackendOutcome, [BackendQuestion]>(
  'connectBackend',
);
