import type { LeftOut } from '../../../observability/metrics.ts';
import { firstId, type Ids, mayJoinUsers, namedIds, unknownIds } from '../../../shared/identity.ts';
import * as imported from './event.ts';
import { clientTime, sentTime } from './times.ts';

export const SEGMENT_TYPES = ['track', 'identify', 'screen', 'page', 'alias', 'group'] as const;
export type SegmentType = (typeof SEGMENT_TYPES)[number];

const keeps = imported.keepsNames(/^mp_/);
const BROWSERS = new Set(['analytics.js', 'RudderLabs JavaScript SDK']);

function toPerson({ userId, anonymousId, previousId }: imported.Fields, type: SegmentType): Ids {
  const user = imported.toText(userId);
  if (type !== 'alias') return namedIds({ user, device: imported.toText(anonymousId) });
  const device = firstId(imported.toText(previousId), imported.toText(anonymousId));
  return user === device ? unknownIds(user, undefined) : namedIds({ user, device });
}

function toScreen({ name, category }: imported.Fields, props: imported.Fields, type: SegmentType) {
  if (type === 'screen') return { name: imported.toText(name) ?? imported.toText(props.name) };
  if (type !== 'page') return undefined;
  return {
    name: imported.toText(props.path) ?? imported.toText(name) ?? imported.toText(category),
  };
}

export const isSegmentType = (type: unknown): type is SegmentType =>
  SEGMENT_TYPES.some((one) => one === type);

function contextOf({ context }: imported.Fields) {
  const { app, os, device, library, location, locale } = imported.toRecord(context);
  const isBrowser = BROWSERS.has(imported.toText(imported.toRecord(library).name) ?? '');
  const system =
    imported.toText(imported.toRecord(os).name) ?? imported.toText(imported.toRecord(device).type);
  return imported.toContext({
    platform: isBrowser ? 'web' : system,
    appVersion: imported.toRecord(app).version,
    osVersion: imported.toRecord(os).version,
    locale,
    country: imported.toRecord(location).country,
  });
}

/** Throws for a type that Segment does not have. */
export function segment(message: imported.Fields, zone?: string): imported.ImportedEvent | LeftOut {
  const { type } = message;
  if (!isSegmentType(type)) throw new Error(`type: must be ${SEGMENT_TYPES.join(', ')}`);
  if (type === 'group') return 'group';
  const isJoining = type === 'identify' || type === 'alias';
  const ids = toPerson(message, type);
  const props = isJoining ? {} : imported.toRecord(message.properties);
  const sentName = isJoining ? 'identify' : (imported.toText(message.event) ?? '');
  const event = imported.toEvent({
    name: sentName,
    id: imported.toText(message.messageId),
    ts: sentTime(message.timestamp, zone) ?? sentTime(message.originalTimestamp, zone),
    session: imported.toRecord(message.context).sessionId,
    props,
    screen: toScreen(message, props, type),
    ids,
    keeps,
  });
  return {
    event,
    context: contextOf(message),
    sentName,
    ...(isJoining && mayJoinUsers(ids) && { isOpen: false }),
  };
}

export function segmentLine(line: imported.Fields, zone?: string): imported.ImportedEvent[] {
  const own = sentTime(line.originalTimestamp, zone);
  const timestamp = clientTime(sentTime(line.timestamp, zone), own);
  const found = segment({ ...line, timestamp }, zone);
  return typeof found === 'string' ? [] : [found];
}
