import { parentPort } from 'node:worker_threads';
import { openFrom } from '../event-store/projections.ts';
import { must } from '../shared/assert.ts';
import { errorMessage } from '../shared/errors.ts';
import { COUNTED, QUESTIONS } from './kinds.ts';
import { PartMembers } from './reading/projection/members.ts';
import * as shares from './reading/projection/share.ts';
import { Turns } from './reading/projection/turns.ts';
import type { CountingTasks, HelpRequest } from './reading/threads/messages.ts';

/** Counts ranges of keys of one question at a time. */
const port = must(parentPort, 'the port of a thread');

async function createCounter<K extends keyof CountingTasks>(
  { kind, question }: { kind: K; question: CountingTasks[K] },
  share: shares.Share,
): Promise<shares.RangeCounter> {
  const counter = await COUNTED[kind].counter();
  return counter(share, question);
}

async function replyTo({
  task,
  parts,
  members,
  environment,
  stitched,
  ranges,
  turns,
}: HelpRequest): Promise<{ counted: shares.Counted | null }> {
  const opened: shares.CountedPart[] = [];
  for (const { origin, ...part } of parts) {
    const projection = openFrom(origin);
    if (projection === null) return { counted: null };
    opened.push({ ...part, projection, members: new PartMembers(members, projection) });
  }
  const dealt = { stitched, count: ranges, turns: new Turns(turns) };
  const counter = await createCounter(task, { parts: opened, members, environment, ranges: dealt });
  while (counter.people.next()) counter.countRange();
  return { counted: shares.copyCounts(counter) };
}

port.on('message', async (request: HelpRequest) => {
  try {
    const reply = await replyTo(request);
    port.postMessage(reply, reply.counted ? shares.buffersOf(reply.counted) : []);
  } catch (thrown) {
    port.postMessage({ failed: errorMessage(thrown) });
  }
});
await Promise.all(
  [...Object.values(QUESTIONS), COUNTED.firsts, COUNTED.values].map(({ counter }) => counter?.()),
);
port.postMessage('ready');
