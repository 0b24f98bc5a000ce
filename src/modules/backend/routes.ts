import { Elysia } from 'elysia';
import { appContext } from '../../http/state.ts';
import { connectBackend } from './connect.ts';
import { ConnectBackendBody, ConnectedBackend } from './model.ts';

export const backendRoutes = new Elysia({
  prefix: '/v1/apps/:id/backend',
  detail: { tags: ['Backend project'] },
}).post(
  '',
  async ({ request, body, status }) =>
    status(201, await connectBackend(appContext(request), body ?? {})),
  {
    body: ConnectBackendBody,
    response: { 201: ConnectedBackend },
    detail: { summary: 'Connect a backend project to an app, a new one unless told which' },
  },
);
