import { taggedRoutes } from '../../http/route.ts';
import { PreviewSession } from './model.ts';
import { getPreview, startPreview, stopPreview } from './session.ts';

export const previewRoutes = taggedRoutes('Preview session', '/v1/apps/:id/preview')
  .get('', ({ ctx }) => getPreview(ctx), {
    forApp: { permission: 'app:read' },
    response: { 200: PreviewSession },
    detail: {
      operationId: 'getPreview',
      summary: 'Read the preview session of an app',
      description: '`available` is false while no runner is set for the app.',
    },
  })
  .post('', ({ ctx }) => startPreview(ctx), {
    forApp: { permission: 'app:update', errors: ['conflict'] },
    response: { 200: PreviewSession },
    detail: {
      operationId: 'startPreview',
      summary: 'Start the preview of an app, unless it is running',
      description: 'Answers at once; `phase` tells how far it is.',
    },
  })
  .delete('', ({ ctx }) => stopPreview(ctx), {
    forApp: { permission: 'app:update' },
    response: { 200: PreviewSession },
    detail: {
      operationId: 'stopPreview',
      summary: 'Stop the preview of an app',
      description: 'Nothing happens where none is running.',
    },
  });
