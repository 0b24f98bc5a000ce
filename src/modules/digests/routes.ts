import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { access } from '../../http/route.ts';
import {
  createDestination,
  deleteDestination,
  listDestinations,
  testDestination,
} from './destinations.ts';
import { destinationExists } from './index.ts';
import {
  ChangeDigestSettings,
  Destination,
  DigestSettings,
  NewDestination,
  OffQuery,
  TestResult,
} from './model.ts';
import { endDigests, getDigestSettings, setDigestSettings } from './settings.ts';

const manages = { permission: 'integration:manage' } as const;
const owns = { destinationId: destinationExists };

export const digestsRoutes = new Elysia({ prefix: '/v1/digests', detail: { tags: ['Digests'] } })
  .use(access)
  .get('', ({ ctx }) => getDigestSettings(ctx), {
    forOrganization: manages,
    response: { 200: DigestSettings },
    detail: {
      operationId: 'getDigestSettings',
      summary: 'Whether, where and when the morning digest comes',
      description: 'Off until somebody switches it on.',
    },
  })
  .put('', ({ ctx, body }) => setDigestSettings(ctx, body), {
    forOrganization: manages,
    body: ChangeDigestSettings,
    response: { 200: DigestSettings },
    detail: {
      operationId: 'setDigestSettings',
      summary: 'Switch the morning digest on or off',
      description: 'One digest a day, at this hour of the zone, through the change of clocks.',
    },
  })
  .get('/destinations', ({ ctx }) => listDestinations(ctx), {
    forOrganization: { ...manages, errors: ['secret_storage_unavailable'] },
    response: { 200: Type.Array(Destination) },
    detail: {
      operationId: 'listDigestDestinations',
      summary: 'List where digests are sent to',
      description: 'Ten at most, oldest first, and never their secret addresses.',
    },
  })
  .post(
    '/destinations',
    async ({ ctx, body, status }) => status(201, await createDestination(ctx, body)),
    {
      forOrganization: {
        ...manages,
        errors: ['conflict', 'provider_not_configured', 'secret_storage_unavailable'],
      },
      body: NewDestination,
      response: { 201: Destination },
      detail: {
        operationId: 'createDigestDestination',
        summary: 'Send digests to a mail address, Slack, Discord or an address of your own',
        description: 'Mail goes to members only. The others get a POST each.',
      },
    },
  )
  .delete(
    '/destinations/:destinationId',
    async ({ ctx, params, status }) => status(204, await deleteDestination(ctx, params)),
    {
      forOrganization: { ...manages, owns },
      response: { 204: Type.Void() },
      detail: {
        operationId: 'deleteDigestDestination',
        summary: 'Send no more digests there',
        description: 'What was sent before stays with whoever received it.',
      },
    },
  )
  .post('/destinations/:destinationId/test', ({ ctx, params }) => testDestination(ctx, params), {
    forOrganization: { ...manages, owns, errors: ['secret_storage_unavailable'] },
    response: { 200: TestResult },
    detail: {
      operationId: 'testDigestDestination',
      summary: 'Send a test message, and say what came of it',
      description: 'Sent once; `error` says why it was not delivered.',
    },
  })
  .get(
    '/off',
    async ({ ctx, query, set }) => {
      set.headers['content-type'] = 'text/plain; charset=utf-8';
      return endDigests(ctx, query);
    },
    {
      open: { errors: ['not_found'] },
      query: OffQuery,
      response: { 200: Type.String() },
      detail: {
        operationId: 'endDigests',
        summary: 'End the morning digest without a login',
        description: 'The link at the end of every digest.',
      },
    },
  );
