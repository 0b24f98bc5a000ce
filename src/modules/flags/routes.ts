import { Type } from '@sinclair/typebox';
import { taggedRoutes } from '../../http/route.ts';
import { created, removed } from '../../http/acts.ts';
import { changeFlag, createFlag, deleteFlag, restoreFlag } from './change.ts';
import { flagExists } from './index.ts';
import { Flag, FlagChange, FlagVersion, NewFlag, RestoreFlagBody } from './model.ts';
import { listFlags, listVersions, readFlag } from './read.ts';

const owns = { flagId: flagExists };
const reads = { permission: 'app:read', owns } as const;
const changes = { permission: 'app:update', owns, errors: ['conflict'] } as const;

export const flagsRoutes = taggedRoutes('Flags', '/v1/apps/:id/flags')
  .get('', ({ ctx }) => listFlags(ctx), {
    forApp: { permission: 'app:read' },
    response: { 200: Type.Array(Flag) },
    detail: {
      operationId: 'listFlags',
      summary: 'List the flags of an app by their keys',
      description: 'With how often each was asked for, so that dead flags are seen.',
    },
  })
  .post('', created(createFlag), {
    forApp: { permission: 'app:update', errors: ['conflict'] },
    body: NewFlag,
    response: { 201: Flag },
    detail: {
      operationId: 'createFlag',
      summary: 'Create a flag',
      description:
        'Off unless `isOn` is given. The first rule that applies decides; apps read it by OFREP with a key of kind flags.',
    },
  })
  .get('/:flagId', ({ ctx, params }) => readFlag(ctx, params), {
    forApp: reads,
    response: { 200: Flag },
    detail: {
      operationId: 'getFlag',
      summary: 'Read a flag',
      description: 'Its variants and rules, and who asked for it last.',
    },
  })
  .patch(
    '/:flagId',
    ({ ctx, params, body }) => changeFlag(ctx, { ...body, flagId: params.flagId }),
    {
      forApp: changes,
      body: FlagChange,
      response: { 200: Flag },
      detail: {
        operationId: 'updateFlag',
        summary: 'Change a flag, or switch it on or off',
        description:
          'Served within 5 seconds everywhere; clients that poll have it with their next request. Rules that keep their `id` keep their people.',
      },
    },
  )
  .delete('/:flagId', removed(deleteFlag), {
    forApp: { permission: 'app:update', owns },
    response: { 204: Type.Void() },
    detail: {
      operationId: 'deleteFlag',
      summary: 'Delete a flag with its history',
      description: 'Apps that still ask for it get what they shipped with.',
    },
  })
  .get('/:flagId/versions', ({ ctx, params }) => listVersions(ctx, params), {
    forApp: reads,
    response: { 200: Type.Array(FlagVersion) },
    detail: {
      operationId: 'listFlagVersions',
      summary: 'What a flag was before, newest first',
      description: 'Each change with who made it and why.',
    },
  })
  .post(
    '/:flagId/restore',
    ({ ctx, params, body }) => restoreFlag(ctx, { ...body, flagId: params.flagId }),
    {
      forApp: changes,
      body: RestoreFlagBody,
      response: { 200: Flag },
      detail: {
        operationId: 'restoreFlag',
        summary: 'Take a flag back to an earlier version',
        description: 'As a new version, so that the way back has a way back.',
      },
    },
  );
