import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { keyInBody, POSTHOG_KEY } from '../../shared/body-key.ts';
import { access } from '../../http/route.ts';
import { DeviceText } from '../../shared/text.ts';
import { evaluateFlags } from './evaluate.ts';
import { toEvaluation, toPosthogFlags } from './posthog.ts';

const Question = Type.Object(
  { distinct_id: DeviceText(1, 256), person_properties: Type.Optional(Type.Unknown()) },
  { additionalProperties: true },
);

function flagRoutes() {
  const routes = new Elysia({ prefix: '/v1/posthog' }).use(access);
  for (const path of ['/flags', '/decide']) {
    routes.post(
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
  return routes;
}

/** Flags by the clients of PostHog. */
export const posthogFlagRoutes = flagRoutes();
