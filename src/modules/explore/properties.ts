import { type Static, Type } from '@sinclair/typebox';
import type { AppContext } from '../../context.ts';
import { MAX_PROPERTY_EVENTS, PropertiesAnswer } from '../../query/inventory/model.ts';
import { Provenance, provenanceOf } from '../../query/selection/provenance.ts';
import { DEFAULT_SCOPE, EnvironmentParameter } from '../../shared/environment.ts';
import { QueryInteger } from '../../shared/schema.ts';
import { daysBack } from '../events/index.ts';
import { DEFAULT_WINDOW_DAYS, Hint, MAX_WINDOW_DAYS, NameParameter } from './parameters.model.ts';

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

export async function eventProperties(
  { deps, orgId, app, signal }: AppContext<'clock' | 'queries'>,
  { name, days = DEFAULT_WINDOW_DAYS, environment = DEFAULT_SCOPE }: PropertiesQuery,
): Promise<EventProperties> {
  const { fromMs, beforeMs } = daysBack(deps.clock(), days);
  const { events, properties, ...answer } = await deps.queries.ask(
    'properties',
    {
      orgId,
      appId: app.id,
      environment,
      name,
      fromUs: fromMs * 1_000,
      beforeUs: beforeMs * 1_000,
    },
    { signal },
  );
  return { events, properties, ...provenanceOf(answer) };
}
