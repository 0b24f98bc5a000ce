export { previewChapter } from './chapter.ts';
export { finishPreview } from './finish-lost.ts';
export { runSession } from './run.ts';
export { setPreviewRunner } from './set-runner.ts';
