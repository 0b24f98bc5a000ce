import { Elysia } from 'elysia';
import { appContext } from '../../http/state.ts';
import { getPreview } from './get.ts';
import { PreviewSession } from './model.ts';
import { startPreview } from './start.ts';
import { stopPreview } from './stop.ts';

export const previewRoutes = new Elysia({
  prefix: '/v1/apps/:id/preview',
  detail: { tags: ['Preview session'] },
})
  .get('', ({ request }) => getPreview(appContext(request)), {
    response: { 200: PreviewSession },
    detail: { summary: 'Read the preview session of an app' },
  })
  .post('', ({ request }) => startPreview(appContext(request)), {
    response: { 200: PreviewSession },
    detail: { summary: 'Start the preview of an app, unless it is running' },
  })
  .delete('', ({ request }) => stopPreview(appContext(request)), {
    response: { 200: PreviewSession },
    detail: { summary: 'Stop the preview of an app' },
  });
