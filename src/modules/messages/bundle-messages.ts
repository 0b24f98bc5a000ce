import type { Deps } from '../../context.ts';
import { newId } from '../../shared/ids.ts';
import { MINUTE_MS, SECOND_MS } from '../../shared/time.ts';
import { lockSubject } from '../../storage/locks.ts';
import { fitting, isQuiet, makeBundle } from './bundle.ts';
import { insertBundle, selectPace } from './bundles-queries.ts';
import { type Message, NO_SETTINGS, wants } from './model.ts';
import * as queries from './queries.ts';

/** Chats take a post a second at most. */
const PAUSE_MS = 20 * SECOND_MS;
const ORGANIZATIONS = 5_000;
const MESSAGES = 250;
/** Bundle id of messages whose kind was switched off meanwhile. */
const DROPPED = '-';

type Needs = Pick<Deps, 'clock' | 'log' | 'sql'>;

const toIds = (messages: readonly Message[]) => messages.map(({ id }) => id);

async function bundleFor({ clock, sql }: Needs, orgId: string): Promise<void> {
  await sql.begin(async (tx) => {
    await lockSubject(tx, 'digests', orgId);
    const at = clock();
    const pace = await selectPace(tx, orgId, new Date(at.getTime() - MINUTE_MS));
    if (pace.lastAt && at.getTime() - pace.lastAt.getTime() < PAUSE_MS) return;
    const settings = (await queries.selectMessageSettings(tx, orgId)) ?? NO_SETTINGS;
    const pending = await queries.selectPending(tx, orgId, MESSAGES);
    const wanted = pending.filter(({ kind }) => wants(settings, kind));
    const unwanted = pending.filter((message) => !wanted.includes(message));
    await queries.markSent(tx, { orgId, bundleId: DROPPED }, toIds(unwanted));
    const messages = fitting(wanted);
    if (messages.length === 0) return;
    const bundleId = newId('bun');
    await insertBundle(tx, { orgId, bundleId, at }, makeBundle(messages, pace.lines));
    await queries.markSent(tx, { orgId, bundleId }, toIds(messages));
  });
}

/** For every organization; posts follow from the rows. */
export async function bundleMessages(deps: Needs): Promise<void> {
  const now = deps.clock();
  for (const { orgId, quietHours } of await queries.selectPendingOrganizations(
    deps.sql,
    ORGANIZATIONS,
  )) {
    if (quietHours && isQuiet(quietHours, now)) continue;
    // A failure holds up no other organization.
    await bundleFor(deps, orgId).catch((err: unknown) => {
      deps.log.warn({ err, orgId }, 'messages could not be bundled; the next round retries');
    });
  }
}
