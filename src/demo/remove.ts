import type { SystemContext } from '../context.ts';
import { selectDemos } from '../modules/demo/index.ts';
import { deleteOrganization, listAllOrganizations } from '../modules/identity/index.ts';
import { SECOND_MS, sleep } from '../shared/time.ts';
import { deleteDeletionRecord, deleteDemoAccount, isDeletionFinished } from './queries.ts';

const REMOVED_WITHIN_MS = 180 * SECOND_MS;
const ASK_EVERY_MS = 250;

async function untilRemoved({ deps }: SystemContext<'sql'>, orgId: string): Promise<void> {
  const end = performance.now() + REMOVED_WITHIN_MS;
  while (!(await isDeletionFinished(deps.sql, orgId))) {
    if (performance.now() > end) {
      throw new Error(
        'The demo is still being removed; it goes on by itself. See organizationDeletion in the Temporal UI.',
      );
    }
    await sleep(ASK_EVERY_MS);
  }
}

/** Removes every organization that the demo made, with its account. Returns how many there were. */
export async function removeDemos(
  ctx: SystemContext<'clock' | 'identity' | 'log' | 'sql' | 'temporal'>,
): Promise<number> {
  const { sql } = ctx.deps;
  const demos = await selectDemos(sql);
  const slugs = new Map((await listAllOrganizations(sql)).map(({ id, slug }) => [id, slug]));
  for (const { orgId, userId } of demos) {
    const confirm = slugs.get(orgId);
    // Without a slug it was deleted before, and its rows are on their way.
    if (confirm !== undefined) {
      await deleteOrganization(ctx, { orgId, confirm, requestedBy: 'demo' });
    }
    await deleteDemoAccount(sql, userId);
    await untilRemoved(ctx, orgId);
    await deleteDeletionRecord(sql, orgId);
  }
  return demos.length;
}
