import { Type } from '@sinclair/typebox';
import type { SentError } from '../../http/access.ts';
import { taggedRoutes } from '../../http/route.ts';
import type { AppError } from '../../shared/errors.ts';
import { type Answer, toBody, toEtag } from './answers.ts';
import { evaluateFlag, evaluateFlags } from './evaluate.ts';
import { Evaluation, EvaluationRequest, Evaluations } from './ofrep.model.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** Codes that its clients read; others go by status. */
function errorCode({ code, hint }: AppError): string {
  if (code === 'not_found') return 'FLAG_NOT_FOUND';
  if (code === 'malformed_json') return 'PARSE_ERROR';
  if (code !== 'invalid_input') return 'GENERAL';
  return hint === 'context.targetingKey: is needed' ? 'TARGETING_KEY_MISSING' : 'INVALID_CONTEXT';
}

function errorBody({ error, text, path, body }: SentError) {
  const [, key] = /\/flags\/([^/]+)\/?$/.exec(path) ?? [];
  return { ...body, ...(key && { key }), errorCode: errorCode(error), errorDetails: text };
}

const protocol = { errorBody };

/** Caches and proxies may weaken the ETag. */
const isKnown = (etag: string, sent: string | null): boolean =>
  sent?.split(',').some((one) => one.trim().replace(/^W\//, '') === etag) ?? false;

function answerWith(answers: readonly Answer[], sent: string | null): Response {
  const etag = toEtag(answers);
  return isKnown(etag, sent)
    ? new Response(null, { status: 304, headers: { etag } })
    : new Response(toBody(answers), { headers: { ...JSON_TYPE, etag } });
}

export const ofrepRoutes = taggedRoutes('Flags', '/v1/ofrep/v1/evaluate/flags')
  .post(
    '',
    async ({ ctx, body, request }) =>
      answerWith(await evaluateFlags(ctx, body), request.headers.get('if-none-match')),
    {
      forFlagReader: { hasEtag: true, protocol },
      body: EvaluationRequest,
      response: { 200: Evaluations, 304: Type.Void() },
      detail: {
        operationId: 'evaluateFlags',
        summary: 'The values of all flags for a person, by OFREP',
        description:
          'For clients that keep them. With the ETag of an earlier answer in If-None-Match it is 304 while nothing changes. Never an exposure of an experiment.',
      },
    },
  )
  .post(
    '/:key',
    async ({ ctx, params, body }) =>
      new Response(await evaluateFlag(ctx, { ...body, key: params.key }), { headers: JSON_TYPE }),
    {
      forFlagReader: { errors: ['not_found'], protocol },
      body: EvaluationRequest,
      response: { 200: Evaluation },
      detail: {
        operationId: 'evaluateFlag',
        summary: 'The value of a flag for a person, by OFREP',
        description:
          'For servers, which ask with the context of each request. Where a running experiment decides, being asked is the exposure.',
      },
    },
  );
