import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { keyInBody, POSTHOG_KEY } from '../../shared/body-key.ts';
import { access } from '../../http/route.ts';
import { DeviceText } from '../../shared/text.ts';
import { evaluateFlags } from './evaluate.ts';
import { toEvaluation, toPosthogFlags } from './posthog.ts';

const Question = Type.Object(
  {
    distinct_id: Type.Union([DeviceText(1, 256), Type.Number()]),
    person_properties: Type.Optional(Type.Unknown()),
  },
  { additionalProperties: true },
);

/** Flags by the clients of PostHog. */
export const posthogFlagRoutes = new Elysia({ prefix: '/v1/posthog' }).use(access);
for (const path of ['/flags', '/decide']) {
  posthogFlagRoutes.post(
    path,
    async ({ ctx, body }) => {
      const { request, person } = toEvaluation(body);
      const answers = await evaluateFlags(ctx, request, person);
      return toPosthogFlags(answers, ctx.requestId);
    },
    {
      forDevice: { limit: 'events', protocol: { keyOf: keyInBody(...POSTHOG_KEY) } },
      body: Question,
    },
  );
}
