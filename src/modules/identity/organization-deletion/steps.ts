import type { Deps, SystemContext } from '../../../context.ts';
import { AppError } from '../../../shared/errors.ts';
import { appDeletionContract } from '../../../temporal/contracts/apps.ts';
import { morningDigestContract } from '../../../temporal/contracts/digests.ts';
import { alertCheckContract } from '../../../temporal/contracts/messages.ts';
import * as contracts from '../../../temporal/contracts/organizations.ts';
import { watchCheckContract } from '../../../temporal/contracts/watches.ts';
import { SECOND_MS, sleep } from '../../../shared/time.ts';
import { isRefusedForGood, isRunGone } from '../../../temporal/server-reason.ts';
import { removeRawReports } from '../../sales/index.ts';
import { deleteRows, hideApps, isUnfinished, listAppIds, markFinished } from './queries.ts';

const SCHEDULED = [morningDigestContract, alertCheckContract, watchCheckContract];

export async function stopOrganizationRuns(
  { deps }: SystemContext<'log' | 'sql' | 'temporal'>,
  { orgId }: contracts.OrganizationRunInput,
): Promise<void> {
  if (!(await isUnfinished(deps.sql, orgId))) return;
  await removeRuns(deps, orgId);
}

const ROUNDS = 30;

/** Until none is listed twice: the list lags, and a removal may fail. */
async function removeRuns(deps: Pick<Deps, 'log' | 'temporal'>, orgId: string): Promise<void> {
  for (const contract of SCHEDULED) await deps.temporal.unschedule(contract, { orgId });
  let empty = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    empty = (await removeListed(deps, orgId)) === 0 ? empty + 1 : 0;
    if (empty === 2) return;
    await sleep(SECOND_MS);
  }
  throw new AppError('conflict', 'Runs of this organization are still being removed.');
}

async function removeListed(
  { temporal, log }: Pick<Deps, 'log' | 'temporal'>,
  orgId: string,
): Promise<number> {
  const own = contracts.organizationDeletionContract.workflowId({ orgId });
  const query = `OrgId = ${JSON.stringify(orgId)}`;
  const { workflow, workflowService, options } = temporal.client;
  let mayRemove = true;
  let left = 0;
  for await (const { workflowId, runId, status } of workflow.list({ query })) {
    if (workflowId === own || (!mayRemove && status.name !== 'RUNNING')) continue;
    const run = { workflowId, runId };
    const note = (err: unknown) => log.info({ err, ...run }, 'run not removed');
    if (status.name === 'RUNNING') {
      await workflow
        .getHandle(workflowId, runId)
        .terminate('The organization was deleted.')
        .catch(note);
    }
    if (!mayRemove) continue;
    left += 1;
    const removal = { namespace: options.namespace, workflowExecution: run };
    await workflowService.deleteWorkflowExecution(removal).catch((err: unknown) => {
      mayRemove = !isRefusedForGood(err);
      if (!mayRemove || isRunGone(err)) left -= 1;
      note(err);
    });
  }
  return left;
}

export async function deleteOrganizationApps(
  { deps }: SystemContext<'clock' | 'sql' | 'temporal'>,
  { orgId }: contracts.OrganizationRunInput,
): Promise<number> {
  if (!(await isUnfinished(deps.sql, orgId))) return 0;
  await hideApps(deps.sql, orgId, deps.clock());
  const appIds = await listAppIds(deps.sql, orgId);
  for (const appId of appIds) {
    await deps.temporal.ensure(appDeletionContract, { orgId, appId });
  }
  return appIds.length;
}

/** Throws `conflict` while an app is left. */
export async function removeOrganizationRows(
  { deps }: SystemContext<'clock' | 'log' | 'objects' | 'sql' | 'temporal'>,
  { orgId }: contracts.OrganizationRunInput,
): Promise<void> {
  if (!(await isUnfinished(deps.sql, orgId))) return;
  if ((await listAppIds(deps.sql, orgId)).length > 0) {
    throw new AppError('conflict', 'Apps of this organization are still being deleted.');
  }
  await removeRawReports(deps.objects, orgId);
  await deleteRows(deps.sql, orgId);
  await removeRuns(deps, orgId);
  await markFinished(deps.sql, orgId, deps.clock());
}
