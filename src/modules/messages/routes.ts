import { Type } from '@sinclair/typebox';
import { taggedRoutes } from '../../http/route.ts';
import { created, removed } from '../../http/acts.ts';
import { ChangeDigestSettings, DigestSettings } from './digest.model.ts';
import { Destination, NewDestination, TestResult } from './destination.model.ts';
import * as destinations from './destinations.ts';
import { destinationExists } from './index.ts';
import { ChangeMessageSettings, MessageSettings, OffQuery } from './model.ts';
import { endDigests, showOffPage } from './off-link.ts';
import * as settings from './settings.ts';

const manages = { permission: 'integration:manage' } as const;
const owns = { destinationId: destinationExists };

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};
const PAGE = {
  description: 'A page for people.',
  content: { 'text/html': { schema: { type: 'string' as const } } },
};

export const messagesRoutes = taggedRoutes('Digests', '/v1/digests')
  .get('', ({ ctx }) => settings.getDigestSettings(ctx), {
    forOrganization: manages,
    response: { 200: DigestSettings },
    detail: {
      operationId: 'getDigestSettings',
      summary: 'Whether, where and when the morning digest comes',
      description: 'Off until somebody switches it on.',
    },
  })
  .put('', ({ ctx, body }) => settings.setDigestSettings(ctx, body), {
    forOrganization: manages,
    body: ChangeDigestSettings,
    response: { 200: DigestSettings },
    detail: {
      operationId: 'setDigestSettings',
      summary: 'Switch the morning digest on or off',
      description: 'One digest a day, at this hour of the zone, through the change of clocks.',
    },
  })
  .get('/destinations', ({ ctx }) => destinations.listDestinations(ctx), {
    forOrganization: { ...manages, errors: ['secret_storage_unavailable'] },
    response: { 200: Type.Array(Destination) },
    detail: {
      operationId: 'listDigestDestinations',
      summary: 'List where digests are sent to',
      description: 'Ten at most, oldest first, and never their secret addresses.',
    },
  })
  .post('/destinations', created(destinations.createDestination), {
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
  })
  .delete('/destinations/:destinationId', removed(destinations.deleteDestination), {
    forOrganization: { ...manages, owns },
    response: { 204: Type.Void() },
    detail: {
      operationId: 'deleteDigestDestination',
      summary: 'Send no more digests there',
      description: 'What was sent before stays with whoever received it.',
    },
  })
  .post(
    '/destinations/:destinationId/test',
    ({ ctx, params }) => destinations.testDestination(ctx, params),
    {
      forOrganization: { ...manages, owns, errors: ['secret_storage_unavailable'] },
      response: { 200: TestResult },
      detail: {
        operationId: 'testDigestDestination',
        summary: 'Send a test message, and say what came of it',
        description: 'Sent once; `error` says why it was not delivered.',
      },
    },
  )
  .get('/messages', ({ ctx }) => settings.getMessageSettings(ctx), {
    forOrganization: manages,
    response: { 200: MessageSettings },
    detail: {
      operationId: 'getMessageSettings',
      summary: 'What is told at once, and when not',
      description: 'Every kind is off until somebody switches it on.',
    },
  })
  .put('/messages', ({ ctx, body }) => settings.setMessageSettings(ctx, body), {
    forOrganization: manages,
    body: ChangeMessageSettings,
    response: { 200: MessageSettings },
    detail: {
      operationId: 'setMessageSettings',
      summary: 'Switch alerts and messages at once on or off',
      description:
        'Alerts are insights that ask to act: looked for every hour and told when they begin, not again until they have ended. New subscribers, refunds and billing problems have one line each, within a minute of the store’s word; of more than twenty in a minute one line says how many. Watches of saved questions are told until they are switched off. They go where digests go.',
    },
  })
  .get(
    '/off',
    async ({ ctx, query }) =>
      new Response(await showOffPage(ctx, query), { headers: PAGE_HEADERS }),
    {
      open: { errors: ['not_found'] },
      query: OffQuery,
      detail: {
        operationId: 'showDigestsOff',
        summary: 'The page behind the link at the end of every message',
        description: 'A page with one button. Opening it ends nothing.',
        responses: { 200: PAGE },
      },
    },
  )
  .post(
    '/off',
    async ({ ctx, query }) => new Response(await endDigests(ctx, query), { headers: PAGE_HEADERS }),
    {
      open: { protocol: { form: 'skipped' }, errors: ['not_found'] },
      query: OffQuery,
      detail: {
        operationId: 'endDigests',
        summary: 'End digests or messages without a login',
        description:
          'What the button of the page does, and what mail programs send to unsubscribe (RFC 8058): for the address of a mail, or one kind for the organization.',
        responses: { 200: PAGE },
      },
    },
  );
