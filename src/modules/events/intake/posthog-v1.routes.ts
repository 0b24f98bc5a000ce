import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { access } from '../../../http/route.ts';
import { type Fields, toRecord, toText } from '../imports/event.ts';
import { posthogReader } from './posthog.ts';
import { POSTHOG_V1, takenBy } from './protocols.ts';
import { type ReadMessage, type Refused, takeMessages } from './take.ts';

const OPTIONS = takenBy(POSTHOG_V1);

const Sent = Type.Object({ batch: Type.Array(Type.Unknown()) }, { additionalProperties: true });

/** Fields that version 0 has among its properties. */
function toVersion0(message: Fields): Fields {
  const properties = toRecord(message.properties);
  const { process_person_profile } = toRecord(message.options);
  return {
    ...message,
    properties: {
      ...properties,
      $session_id: message.session_id ?? properties.$session_id,
      $process_person_profile: process_person_profile ?? properties.$process_person_profile,
    },
  };
}

type Result = { result: 'ok' | 'warning' | 'drop'; details?: string };

function resultsOf(
  uuids: readonly (string | undefined)[],
  refused: readonly Refused[],
  leftOut: ReadonlyMap<string, string>,
): Record<string, Result> {
  const taken = uuids.flatMap((uuid): [string, Result][] => {
    if (uuid === undefined) return [];
    const details = leftOut.get(uuid);
    return [[uuid, details === undefined ? { result: 'ok' } : { result: 'warning', details }]];
  });
  const dropped = refused.map(({ index, reason }): [string, Result] => [
    uuids[index] ?? `batch[${index}]`,
    { result: 'drop', details: reason },
  ]);
  return Object.fromEntries([...taken, ...dropped]);
}

/** PostHog's second protocol. */
export function posthogV1Routes() {
  const routes = new Elysia().use(access);
  for (const path of ['/i/v1/analytics/events', '/i/v1/ai/events']) {
    routes.post(
      path,
      async ({ ctx, body }) => {
        const readVersion0 = posthogReader(ctx.deps.clock().getTime());
        const leftOut = new Map<string, string>();
        const read: ReadMessage = (message) => {
          const found = readVersion0(toVersion0(message));
          if (typeof found === 'string') leftOut.set(String(message.uuid), `left out: ${found}`);
          return found;
        };
        const uuids = body.batch.map((message) => toText(toRecord(message).uuid));
        const { refused } = await takeMessages(ctx, body.batch, read);
        return { results: resultsOf(uuids, refused, leftOut) };
      },
      { ...OPTIONS, body: Sent },
    );
  }
  return routes;
}
