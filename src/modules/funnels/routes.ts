import { Type } from '@sinclair/typebox';
import { taggedRoutes } from '../../http/route.ts';
import { created, removed } from '../../http/acts.ts';
import { createFunnel, deleteFunnel, editFunnel, listFunnels } from './funnels.ts';
import { funnelExists } from './index.ts';
import { Funnel, FunnelChange, NewFunnel } from './model.ts';

export const funnelsRoutes = taggedRoutes('Funnels', '/v1/apps/:id/funnels')
  .get('', ({ ctx }) => listFunnels(ctx), {
    forApp: { permission: 'analytics:read' },
    response: { 200: Type.Array(Funnel) },
    detail: {
      operationId: 'listFunnels',
      summary: 'List the funnels of an app, the default first',
      description: 'Every app begins with one.',
    },
  })
  .post('', created(createFunnel), {
    forApp: { permission: 'app:update', errors: ['conflict'] },
    body: NewFunnel,
    response: { 201: Funnel },
    detail: {
      operationId: 'createFunnel',
      summary: 'Make a funnel',
      description:
        '2 to 12 steps. As a default it takes the place of the present one. A step that the app never sent is taken, with a `hint` that names it.',
    },
  })
  .put(
    '/:funnelId',
    ({ ctx, params, body }) => editFunnel(ctx, { funnelId: params.funnelId, change: body }),
    {
      forApp: { permission: 'app:update', owns: { funnelId: funnelExists } },
      body: FunnelChange,
      response: { 200: Funnel },
      detail: {
        operationId: 'updateFunnel',
        summary: 'Edit a funnel: any of name, steps, isDefault',
        description: 'What is left out stays. Reports count past events by the new steps.',
      },
    },
  )
  .delete('/:funnelId', removed(deleteFunnel), {
    forApp: { permission: 'app:update', owns: { funnelId: funnelExists } },
    response: { 204: Type.Void() },
    detail: {
      operationId: 'deleteFunnel',
      summary: 'Delete a funnel',
      description: 'Deleting the default makes the oldest other one the default.',
    },
  });
