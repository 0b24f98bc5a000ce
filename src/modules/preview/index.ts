import type { Chapter } from '../../chapter.ts';
import { ensureMissingPreviewRuns, reconcilePreviews, removePreview } from './session.ts';

export { finishPreview, runSession } from './run.ts';
export { setPreviewRunner } from './session.ts';

export const previewChapter: Chapter = {
  name: 'previews',

  tables: ['preview_runners', 'preview_sessions'],
  cleanup: { name: 'preview', run: removePreview },
  ensureMissingRuns: ensureMissingPreviewRuns,
  reconcile: reconcilePreviews,
};
