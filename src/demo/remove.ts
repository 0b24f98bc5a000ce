import type { SystemContext } from '../context.ts';
import { selectDemos } from '../modules/demo/index.ts';
import {
  deleteAccountOfNobody,
  deleteOrganization,
  listAllOrganizations,
} from '../modules/identity/index.ts';
import { SECOND_MS, sleep } from '../shared/time.ts';
import { deleteDeletionRecord, isDeletionFinished } from './queries.ts';

const REMOVED_WITHIN_MS = 180 * SECOND_MS;
const POLL_MS = 250;

async function untilRemoved({ deps }: SystemContext<'sql'>, orgId: string): Promise<void> {
  const end = performance.now() + REMOVED_WITHIN_MS;
  while (!(await isDeletionFinished(deps.sql, orgId))) {
    if (performance.now() > end) {
      throw new Error(
        'The demo is still being removed; it goes on by itself. See organizationDeletion in the Temporal UI.',
      );
    }
    await sleep(POLL_MS);
  }
}

export async function removeDemos(
  ctx: SystemContext<'clock' | 'identity' | 'log' | 'sql' | 'temporal'>,
): Promise<number> {
  const { sql } = ctx.deps;
  const demos = await selectDemos(sql);
  const slugs = new Map((await listAllOrganizations(sql)).map(({ id, slug }) => [id, slug]));
  for (const { orgId, userId } of demos) {
    const confirm = slugs.get(orgId);
    // Without a slug its deletion is under way.
    if (confirm !== undefined) {
      await deleteOrganization(ctx, { orgId, confirm, requestedBy: 'demo' });
    }
    await deleteAccountOfNobody(sql, userId);
    await untilRemoved(ctx, orgId);
    await deleteDeletionRecord(sql, orgId);
  }
  return demos.length;
}
