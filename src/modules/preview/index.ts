export { previewChapter } from './chapter.ts';
export { finishPreview, runSession } from './run.ts';
export { setPreviewRunner } from './set-runner.ts';
