import { workflowContract } from './workflow.ts';

export type PreviewRunInput = { orgId: string; appId: string; sessionId: string };

/** Supervises one session of an app's preview runner, to its end. */
export const previewSessionContract = workflowContract<PreviewRunInput>({
  type: 'previewSession',
  workflowId: ({ appId, sessionId }) => `previewSession/${appId}/${sessionId}`,
  summary: ({ appId }) => `Preview of ${appId}`,
});
