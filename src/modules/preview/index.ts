export { finishPreview } from './finish-lost.ts';
export { ensureMissingPreviewRuns, reconcilePreviews } from './reconcile.ts';
export { removePreview } from './remove.ts';
export { runSession } from './run.ts';
export { setPreviewRunner } from './set-runner.ts';
