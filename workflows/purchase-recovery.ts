import {
  ActivityFailure,
  continueAsNew,
  patched,
  proxyActivities,
  setCurrentDetails,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { RecoveryProgress, RecoveryRunInput } from '../src/temporal/contracts/purchases.ts';

const { planPurchaseRecovery, recoverPurchasePage } = proxyActivities<Activities>({
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '30 minutes',
  retry: { initialInterval: '2 seconds', maximumInterval: '2 minutes' },
});

const ENVIRONMENTS = ['Production', 'Sandbox'] as const;
/** 20,000 notifications of one environment; the run of the next hour resumes. */
const MAX_PAGES = 1_000;
/** A page is six history events; past this, continues as new. */
const PAGES_PER_RUN = 200;
/** Earlier runs end with their history. */
const LONG_RECOVERIES_CONTINUE = 'long-recoveries-continue-as-new';

type App = { orgId: string; appId: string };
type State = NonNullable<RecoveryRunInput['resume']>;
type Budget = { pages: number };

const nothing = (): RecoveryProgress => ({ stored: 0, pages: 0, slice: null });

/** `over` without any history, `paused` at the budget. */
async function readSlice(
  run: App & { environment: (typeof ENVIRONMENTS)[number] },
  progress: RecoveryProgress,
  slice: NonNullable<RecoveryProgress['slice']>,
  budget: Budget,
): Promise<'over' | 'read' | 'paused'> {
  while (progress.pages < MAX_PAGES) {
    if (budget.pages === 0) return 'paused';
    budget.pages -= 1;
    progress.pages += 1;
    const summary = `${run.environment}, page ${progress.pages}`;
    const page = await recoverPurchasePage.executeWithOptions({ summary }, [{ ...run, ...slice }]);
    progress.stored += page.stored;
    slice.paginationToken = page.paginationToken;
    if (page.isOver) return 'over';
    if (slice.paginationToken === null) return 'read';
  }
  return 'read';
}

/** False to continue in another run. */
async function recover(
  app: App,
  environment: (typeof ENVIRONMENTS)[number],
  progress: RecoveryProgress,
  budget: Budget,
): Promise<boolean> {
  const run = { ...app, environment };
  while (progress.pages < MAX_PAGES) {
    const plan = { summary: `plan ${environment}` };
    progress.slice ??= {
      window: await planPurchaseRecovery.executeWithOptions(plan, [run]),
      paginationToken: null,
    };
    const { window } = progress.slice;
    const end = await readSlice(run, progress, progress.slice, budget);
    if (end === 'paused') return false;
    progress.slice = null;
    // Runs of before read everything at once.
    if (end === 'over' || window.isLast !== false) break;
  }
  return true;
}

/** A failure in one environment does not stop the other. */
export async function purchaseRecovery({ resume, ...app }: RecoveryRunInput): Promise<void> {
  const budget = { pages: patched(LONG_RECOVERIES_CONTINUE) ? PAGES_PER_RUN : Infinity };
  const state: State = resume ?? { environment: 0, found: [], progress: nothing() };
  for (const environment of ENVIRONMENTS.slice(state.environment)) {
    try {
      if (!(await recover(app, environment, state.progress, budget))) break;
      state.found.push(`${environment}: ${state.progress.stored} recovered`);
    } catch (failure) {
      if (!(failure instanceof ActivityFailure)) throw failure;
      state.found.push(`${environment}: could not be read`);
    }
    state.environment += 1;
    state.progress = nothing();
    setCurrentDetails(state.found.join(', '));
  }
  if (state.environment < ENVIRONMENTS.length) {
    await continueAsNew<typeof purchaseRecovery>({ ...app, resume: state });
  }
}
