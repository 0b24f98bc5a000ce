import { parentPort } from 'node:worker_threads';
import {
  openProjection,
  type Projection,
  type ProjectionOrigin,
  readProjection,
} from '../event-store/projections.ts';
import { must } from '../shared/assert.ts';
import { messageOf } from '../shared/errors.ts';
import { counterOf } from './counters.ts';
import { type CountedPart, countedOf } from './projection/share.ts';
import { Turns } from './projection/turns.ts';
import type { HelpReply, HelpRequest } from './threads/messages.ts';

/** A thread beside that of a query process: counts ranges of keys of one question at a time. */
const port = must(parentPort, 'the port of a thread');

const openedFrom = (origin: ProjectionOrigin): Projection | null =>
  'path' in origin ? openProjection(origin.path) : readProjection(origin.bytes, true);

function replyTo({ task, parts, environment, stitched, ranges, turns }: HelpRequest): HelpReply {
  const opened: CountedPart[] = [];
  for (const { origin, file } of parts) {
    const projection = openedFrom(origin);
    if (projection === null) return { counted: null };
    opened.push({ projection, file });
  }
  const dealt = { stitched, count: ranges, turns: new Turns(turns) };
  const counter = counterOf(task, { parts: opened, environment, ranges: dealt });
  while (counter.people.next()) counter.countRange();
  return { counted: countedOf(counter.state()) };
}

port.on('message', (request: HelpRequest) => {
  try {
    port.postMessage(replyTo(request));
  } catch (thrown) {
    port.postMessage({ failed: messageOf(thrown) });
  }
});
port.postMessage('ready');
