import { ofApp, workflowContract } from './workflow.ts';

export type PreviewRunInput = { orgId: string; appId: string; sessionId: string };

export const previewSessionContract = workflowContract({
  type: 'previewSession',
  workflowId: ({ appId, sessionId }: PreviewRunInput) => `previewSession/${appId}/${sessionId}`,
  summary: ({ appId }) => `Preview of ${appId}`,
  scope: ofApp,
});
