import { Type } from '@sinclair/typebox';
import { taggedRoutes } from '../../http/route.ts';
import { created, removed } from '../../http/acts.ts';
import { watchExists } from './index.ts';
import { NewWatch, Watch, WatchChange, WatchHistory } from './model.ts';
import * as watches from './watches.ts';

const READ = { permission: 'analytics:read', owns: { watchId: watchExists } } as const;
const CHANGE = { permission: 'app:update', owns: { watchId: watchExists } } as const;

export const watchesRoutes = taggedRoutes('Questions', '/v1/apps/:id/watches')
  .get('', ({ ctx }) => watches.listWatches(ctx), {
    forApp: { permission: 'analytics:read' },
    response: { 200: Type.Array(Watch) },
    detail: {
      operationId: 'listWatches',
      summary: 'List the watches of an app, oldest first',
      description: 'Each with its state and its last look.',
    },
  })
  .post('', created(watches.createWatch), {
    forApp: { permission: 'app:update', errors: ['conflict'] },
    body: NewWatch,
    response: { 201: Watch },
    detail: {
      operationId: 'createWatch',
      summary: 'Watch a figure of a saved question',
      description:
        'Judged once after each whole interval of the question, two hours after its end (of a funnel when its people had their time to convert), the newest one at once. Told where messages go when it goes beyond, and when that is over. At most twenty an app.',
    },
  })
  .get('/:watchId', ({ ctx, params }) => watches.readWatch(ctx, params), {
    forApp: READ,
    response: { 200: Watch },
    detail: {
      operationId: 'getWatch',
      summary: 'Read a watch',
      description: 'With its state and its last look.',
    },
  })
  .get('/:watchId/history', ({ ctx, params }) => watches.readWatchHistory(ctx, params), {
    forApp: READ,
    response: { 200: WatchHistory },
    detail: {
      operationId: 'getWatchHistory',
      summary: 'What a watch saw, newest first',
      description: 'The last hundred whole intervals, each with its value and its verdict.',
    },
  })
  .put(
    '/:watchId',
    ({ ctx, params, body }) => watches.editWatch(ctx, { watchId: params.watchId, change: body }),
    {
      forApp: CHANGE,
      body: WatchChange,
      response: { 200: Watch },
      detail: {
        operationId: 'updateWatch',
        summary: 'Change the figure or the rule of a watch',
        description: 'What is left out stays. It waits for its next look as a new one does.',
      },
    },
  )
  .delete('/:watchId', removed(watches.deleteWatch), {
    forApp: CHANGE,
    response: { 204: Type.Void() },
    detail: {
      operationId: 'deleteWatch',
      summary: 'Delete a watch with its history',
      description: 'Nothing more is told. It also goes with its question.',
    },
  });
