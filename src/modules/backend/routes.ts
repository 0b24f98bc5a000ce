import { taggedRoutes } from '../../http/route.ts';
import { connectBackend } from './connect.ts';
import { ConnectBackendBody, ConnectedBackend } from './model.ts';

export const backendRoutes = taggedRoutes('Backend project', '/v1/apps/:id/backend').post(
  '',
  async ({ ctx, body, status }) => status(201, await connectBackend(ctx, body ?? {})),
  {
    forApp: {
      permission: 'app:update',
      errors: [
        'conflict',
        'secret_storage_unavailable',
        'provider_rejected',
        'provider_not_configured',
      ],
    },
    body: ConnectBackendBody,
    response: { 201: ConnectedBackend },
    detail: {
      operationId: 'connectBackend',
      summary: 'Connect a backend project to an app, a new one unless told which',
      description: 'Asked again, it answers with the project that the app has.',
    },
  },
);
