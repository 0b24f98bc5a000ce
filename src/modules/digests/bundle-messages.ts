import type { Deps } from '../../context.ts';
import { newId } from '../../shared/ids.ts';
import { MINUTE_MS, SECOND_MS } from '../../shared/time.ts';
import { lockSubject } from '../../storage/locks.ts';
import {
  type Message,
  markSent,
  selectMessageSettings,
  selectPending,
  selectPendingOrganizations,
  wants,
} from '../messages/index.ts';
import { bundleOf, fitting, isQuiet } from './bundle.ts';
import { insertBundle, selectPace } from './bundles-queries.ts';

/** Chats take a post a second at most; what happens in between is one post. */
const PAUSE_MS = 20 * SECOND_MS;
const ORGANIZATIONS = 5_000;
const MESSAGES = 250;
/** Marks what nobody is told, since its kind was switched off meanwhile. */
const DROPPED = '-';

type Needs = Pick<Deps, 'clock' | 'log' | 'sql'>;

const idsOf = (messages: readonly Message[]) => messages.map(({ id }) => id);

/** Makes one bundle of what an organization has not been told, unless the last was just now. */
async function bundleFor({ clock, sql }: Needs, orgId: string): Promise<void> {
  await sql.begin(async (tx) => {
    await lockSubject(tx, 'digests', orgId);
    const at = clock();
    const pace = await selectPace(tx, orgId, new Date(at.getTime() - MINUTE_MS));
    if (pace.lastAt && at.getTime() - pace.lastAt.getTime() < PAUSE_MS) return;
    const settings = await selectMessageSettings(tx, orgId);
    const untold = await selectPending(tx, orgId, MESSAGES);
    const wanted = untold.filter(({ kind }) => settings && wants(settings, kind));
    const unwanted = untold.filter((message) => !wanted.includes(message));
    await markSent(tx, { orgId, bundleId: DROPPED }, idsOf(unwanted));
    const messages = fitting(wanted);
    if (messages.length === 0) return;
    const bundleId = newId('bun');
    await insertBundle(tx, { orgId, bundleId, at }, bundleOf(messages, pace.lines));
    await markSent(tx, { orgId, bundleId }, idsOf(messages));
  });
}

/** Bundles what every organization has not been told yet; posts follow from the rows. */
export async function bundleMessages(deps: Needs): Promise<void> {
  const now = deps.clock();
  for (const { orgId, quietHours } of await selectPendingOrganizations(deps.sql, ORGANIZATIONS)) {
    if (quietHours && isQuiet(quietHours, now)) continue;
    // One that fails keeps no other from its turn.
    await bundleFor(deps, orgId).catch((err: unknown) => {
      deps.log.warn({ err, orgId }, 'messages could not be bundled; the next round retries');
    });
  }
}
