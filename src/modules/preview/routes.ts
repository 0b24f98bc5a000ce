import { Elysia } from 'elysia';
import { access } from '../../http/route.ts';
import { PreviewSession } from './model.ts';
import { getPreview, startPreview, stopPreview } from './session.ts';

export const previewRoutes = new Elysia({
  prefix: '/v1/apps/:id/preview',
  detail: { tags: ['Preview session'] },
})
  .use(access)
  .get('', ({ ctx }) => getPreview(ctx), {
    forApp: { permission: 'app:read' },
    response: { 200: PreviewSession },
    detail: { summary: 'Read the preview session of an app' },
  })
  .post('', ({ ctx }) => startPreview(ctx), {
    forApp: { permission: 'app:update', errors: ['conflict'] },
    response: { 200: PreviewSession },
    detail: { summary: 'Start the preview of an app, unless it is running' },
  })
  .delete('', ({ ctx }) => stopPreview(ctx), {
    forApp: { permission: 'app:update' },
    response: { 200: PreviewSession },
    detail: { summary: 'Stop the preview of an app' },
  });
