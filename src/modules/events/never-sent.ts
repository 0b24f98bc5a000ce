import type { AppContext } from '../../context.ts';
import type { EnvironmentScope } from '../../shared/environment.ts';
import { nearest } from '../../shared/nearest.ts';
import { SECOND_MS } from '../../shared/time.ts';
import { withTimeout } from '../../shared/timeout.ts';
import { daysBack } from './days-back.ts';
import { MAX_DAYS } from './read.model.ts';

/** Event, property or value named in a query. */
export type Named = {
  step?: number;
  /** Null for all client events. */
  event: string | null;
  prop?: string;
  equals?: string;
};

type Property = { name: string; events: number; values: { value: string; events: number }[] };
export type Known = {
  environment: EnvironmentScope;
  names: readonly string[];
  propertiesOf: (event: string | null) => Promise<{ properties: readonly Property[] }>;
};

/** A figure waits no longer for its hint. */
const HINT_WAIT_MS = 5 * SECOND_MS;
const NEAREST = 3;
const MAX_CHECKED = 12;

const quoted = (texts: readonly string[]): string =>
  texts.map((text) => JSON.stringify(text)).join(', ');

const inEnvironment = ({ environment }: Known): string =>
  environment === 'all' ? '' : ` in ${environment}`;

/** With the nearest names that were sent. */
function sentence(
  { step }: Named,
  said: string,
  { kind, wanted, came }: { kind: string; wanted: string; came: readonly string[] },
) {
  const where = step === undefined ? '' : `Step ${step}: `;
  const near = nearest(wanted, came, NEAREST);
  const nearestOnes = near.length > 0 ? ` The nearest ${kind}: ${quoted(near)}.` : '';
  return `${where}${said}.${nearestOnes}`;
}

const countValues = (values: Property['values']): number =>
  values.reduce((sum, { events }) => sum + events, 0);

async function aboutProperty(named: Named, known: Known): Promise<string | null> {
  const { event, prop, equals } = named;
  if (prop === undefined) return null;
  const { properties } = await known.propertiesOf(event);
  const property = properties.find(({ name }) => name === prop);
  const which = event === null ? 'no event' : `no event ${JSON.stringify(event)}`;
  if (!property) {
    const said = `${which} came with the property ${JSON.stringify(prop)}${inEnvironment(known)}`;
    const came = properties.map(({ name }) => name);
    return sentence(named, said, { kind: 'properties that came', wanted: prop, came });
  }
  const values = property.values.map(({ value }) => value);
  // Only a complete list of values proves a missing one.
  const isWhole = countValues(property.values) === property.events;
  if (equals === undefined || !isWhole || values.includes(equals)) return null;
  const said = `${which} came with ${JSON.stringify(prop)} equal to ${JSON.stringify(equals)}${inEnvironment(known)}`;
  return sentence(named, said, { kind: 'values that came', wanted: equals, came: values });
}

export async function describeNeverSent(
  asked: readonly Named[],
  known: Known,
): Promise<string | null> {
  if (asked.length === 0) return null;
  const { names } = known;
  if (names.length === 0) return `The app has not sent any event${inEnvironment(known)} yet.`;
  const sentences: string[] = [];
  for (const named of asked.slice(0, MAX_CHECKED)) {
    const { event } = named;
    if (event !== null && !event.startsWith('$') && !names.includes(event)) {
      const said = `the app never sent an event ${JSON.stringify(event)}${inEnvironment(known)}`;
      sentences.push(
        sentence(named, said, { kind: 'names that it sent', wanted: event, came: names }),
      );
      continue;
    }
    const found = await aboutProperty(named, known);
    if (found !== null) sentences.push(found);
  }
  const unique = [...new Set(sentences)].map(
    (text) => text.charAt(0).toUpperCase() + text.slice(1),
  );
  return unique.length === 0 ? null : unique.join(' ');
}

type Needs = 'clock' | 'log' | 'queries';

async function askAbout(
  { deps, orgId, app }: AppContext<Needs>,
  asked: readonly Named[],
  environment: EnvironmentScope,
): Promise<string | null> {
  const { fromMs, beforeMs } = daysBack(deps.clock(), MAX_DAYS);
  const window = { fromUs: fromMs * 1_000, beforeUs: beforeMs * 1_000 };
  const question = { orgId, appId: app.id, environment, ...window };
  const now = { startWaitMs: 0 };
  const { names } = await deps.queries.ask('names', question, now);
  const propertiesOf = (name: string | null) =>
    deps.queries.ask('properties', { ...question, name }, now);
  return describeNeverSent(asked, { environment, names, propertiesOf });
}

/** In 400 days. None while queries are busy: no result fails for its hint. */
export async function neverSentHint(
  ctx: AppContext<Needs>,
  asked: readonly Named[],
  environment: EnvironmentScope,
): Promise<{ hint?: string }> {
  if (asked.length === 0) return {};
  try {
    const hint = await withTimeout(askAbout(ctx, asked, environment), HINT_WAIT_MS);
    return hint === null ? {} : { hint };
  } catch (thrown) {
    ctx.deps.log.debug({ err: thrown }, 'no hint on names that were never sent');
    return {};
  }
}
