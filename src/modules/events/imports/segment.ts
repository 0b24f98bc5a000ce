import type { LeftOut } from '../../../observability/metrics.ts';
import { firstId, type Ids, namedIds, unknownIds } from '../../../shared/identity.ts';
import {
  type Fields,
  type ImportedEvent,
  keepsNames,
  toContext,
  toEvent,
  toRecord,
  toText,
} from './event.ts';
import { clientTime, sentTime } from './times.ts';

export const SEGMENT_TYPES = ['track', 'identify', 'screen', 'page', 'alias', 'group'] as const;
export type SegmentType = (typeof SEGMENT_TYPES)[number];

const keeps = keepsNames(/^mp_/);
const BROWSERS = new Set(['analytics.js', 'RudderLabs JavaScript SDK']);

function toPerson({ userId, anonymousId, previousId }: Fields, type: SegmentType): Ids {
  const user = toText(userId);
  if (type !== 'alias') return namedIds({ user, device: toText(anonymousId) });
  const device = firstId(toText(previousId), toText(anonymousId));
  return user === device ? unknownIds(user, undefined) : namedIds({ user, device });
}

function toScreen({ name, category }: Fields, props: Fields, type: SegmentType) {
  if (type === 'screen') return { name: toText(name) ?? toText(props.name) };
  if (type !== 'page') return undefined;
  return { name: toText(props.path) ?? toText(name) ?? toText(category) };
}

export const isSegmentType = (type: unknown): type is SegmentType =>
  SEGMENT_TYPES.some((one) => one === type);

function contextOf({ context }: Fields) {
  const { app, os, device, library, location, locale } = toRecord(context);
  const isBrowser = BROWSERS.has(toText(toRecord(library).name) ?? '');
  const system = toText(toRecord(os).name) ?? toText(toRecord(device).type);
  return toContext({
    platform: isBrowser ? 'web' : system,
    appVersion: toRecord(app).version,
    osVersion: toRecord(os).version,
    locale,
    country: toRecord(location).country,
  });
}

/** Throws for a type that Segment does not have. */
export function segment(message: Fields, zone?: string): ImportedEvent | LeftOut {
  const { type } = message;
  if (!isSegmentType(type)) throw new Error(`type: must be ${SEGMENT_TYPES.join(', ')}`);
  if (type === 'group') return 'group';
  const isJoining = type === 'identify' || type === 'alias';
  const props = isJoining ? {} : toRecord(message.properties);
  const sentName = isJoining ? 'identify' : (toText(message.event) ?? '');
  const event = toEvent({
    name: sentName,
    id: toText(message.messageId),
    ts: sentTime(message.timestamp, zone) ?? sentTime(message.originalTimestamp, zone),
    session: toRecord(message.context).sessionId,
    props,
    screen: toScreen(message, props, type),
    ids: toPerson(message, type),
    keeps,
  });
  return { event, context: contextOf(message), sentName };
}

export function segmentLine(line: Fields, zone?: string): ImportedEvent[] {
  const own = sentTime(line.originalTimestamp, zone);
  const timestamp = clientTime(sentTime(line.timestamp, zone), own);
  const found = segment({ ...line, timestamp }, zone);
  return typeof found === 'string' ? [] : [found];
}
