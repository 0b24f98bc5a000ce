import { type Static, Type } from '@sinclair/typebox';
import type { AppContext } from '../../context.ts';
import { MAX_PROPERTY_EVENTS, PropertiesAnswer } from '../../query/inventory/model.ts';
import { Provenance, provenanceOf } from '../../query/selection/provenance.ts';
import { DEFAULT_SCOPE, EnvironmentParameter } from '../../shared/environment.ts';
import { QueryInteger } from '../../shared/schema.ts';
import { daysBack, neverSentHint } from '../events/index.ts';
import { Hint, NameParameter } from './resolve/parameters.model.ts';
import { ask } from './resolve/resolved.ts';
import { MAX_WINDOW_DAYS } from './resolve/window.model.ts';
import { DEFAULT_WINDOW_DAYS } from './resolve/window.ts';

export const PropertiesQuery = Type.Object({
  name: NameParameter('The event.'),
  days: Type.Optional(
    QueryInteger(1, MAX_WINDOW_DAYS, {
      description: 'Counted back from now, 24 hours each.',
      whenLeftOut: DEFAULT_WINDOW_DAYS,
    }),
  ),
  environment: EnvironmentParameter,
});
export type PropertiesQuery = Static<typeof PropertiesQuery>;

export const EventProperties = Type.Object(
  {
    events: Type.Integer({
      minimum: 0,
      description: `Events looked at: those received last, ${MAX_PROPERTY_EVENTS} at most.`,
    }),
    properties: PropertiesAnswer.properties.properties,
    ...Provenance.properties,
    hint: Hint,
  },
  { title: 'EventProperties' },
);
export type EventProperties = Static<typeof EventProperties>;

export async function readProperties(
  ctx: AppContext<'clock' | 'log' | 'queries'>,
  { name, days = DEFAULT_WINDOW_DAYS, environment = DEFAULT_SCOPE }: PropertiesQuery,
): Promise<EventProperties> {
  const { deps, orgId, app } = ctx;
  const { fromMs, beforeMs } = daysBack(deps.clock(), days);
  const { events, properties, ...answer } = await ask(ctx, 'properties', {
    ...{ orgId, appId: app.id, environment, name },
    ...{ fromUs: fromMs * 1_000, beforeUs: beforeMs * 1_000 },
  });
  const notFound = events === 0 ? [{ event: name }] : [];
  const hint = await neverSentHint(ctx, notFound, environment);
  return { events, properties, ...provenanceOf(answer), ...hint };
}
