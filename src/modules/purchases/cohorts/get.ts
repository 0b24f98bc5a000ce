import type { AppContext } from '../../../context.ts';
import type { CohortsAnswer, CohortsQuestion } from '../../../query/cohorts/model.ts';
import { limitConcurrency } from '../../../shared/concurrency.ts';
import { REAL_PURCHASES } from '../../../shared/environment.ts';
import { invalidInput } from '../../../shared/errors.ts';
import { MINIMUM_PEOPLE } from '../../../shared/statistics/minimum.ts';
import { toIso } from '../../../shared/time.ts';
import { resolveTimezone } from '../../app-settings/index.ts';
import { currencyOfAnswer } from '../../sales/index.ts';
import { selectOfferingsSeen } from '../ledger/offering-queries.ts';
import * as rows from '../overview/queries.ts';
import { forEachPacked, foldChains } from '../overview/read-folds.ts';
import { readAmounts } from '../revenue/amounts.ts';
import { toAccounted, toCohorts, toPooled } from './answer.ts';
import { selectBuyers } from './buyers-queries.ts';
import { Ledger } from './ledger.ts';
import type { Anchor, CohortBreakdown, CohortsInput, RevenueCohorts } from './model.ts';
import { placePeople } from './place.ts';
import { survivalCurve } from './survival.ts';
import { countLedger } from './tally.ts';
import { type CohortWindow, endOf, firstOf, resolveCohortWindow } from './window.ts';

type Asked = {
  ledger: Ledger;
  window: CohortWindow;
  by: Anchor;
  breakdown: CohortBreakdown | null;
  experimentId: string | undefined;
};

function toTrait({ breakdown, experimentId, window }: Asked): CohortsQuestion['by'] {
  if (breakdown === null || breakdown === 'product' || breakdown === 'offering') return null;
  if (breakdown !== 'arm') return { kind: 'first', of: { kind: breakdown } };
  return {
    kind: 'inArm',
    experimentId: experimentId ?? '',
    exposedFromUs: 0,
    exposedBeforeUs: endOf(window) * 1_000,
  };
}

/** Null where purchases alone say everything. */
async function askSeen(
  { deps, orgId, app, signal }: AppContext<'queries'>,
  asked: Asked,
): Promise<CohortsAnswer | null> {
  const { ledger, window, by } = asked;
  const trait = toTrait(asked);
  if (by !== 'first_seen' && trait === null) return null;
  const question = {
    ...{ orgId, appId: app.id, by: trait },
    boundariesUs: window.boundariesMs.map((ms) => ms * 1_000),
    cohorts: window.cohorts,
    people: ledger.people.map(({ name }) => name),
  };
  return deps.queries.ask('cohorts', question, { signal });
}

type CohortsContext = AppContext<'clock' | 'queries' | 'rates' | 'sql'>;

const limited = limitConcurrency(2);

const STEP_DAYS = { day: 1, week: 7, month: 30 } as const;

async function readLedger(
  { deps }: CohortsContext,
  scope: rows.OverviewScope,
  window: CohortWindow,
  { currency, by, breakdown }: { currency: string; by: Anchor; breakdown: CohortBreakdown | null },
): Promise<Ledger> {
  await foldChains(deps, scope);
  const firstMs = (await rows.selectFirstPurchase(deps.sql, scope)) ?? firstOf(window);
  const ledger = new Ledger(window, await readAmounts(deps, currency, firstMs), by);
  const offerings = breakdown === 'offering' ? await selectOfferingsSeen(deps.sql, scope) : null;
  const asked = { fromMs: 0, endMs: window.nowMs + 1, holders: false };
  const [buyers] = await Promise.all([
    selectBuyers(deps.sql, scope),
    forEachPacked(deps.sql, scope, asked, (fold, { id }) =>
      ledger.addChain(fold, id, offerings?.get(id) ?? null),
    ),
  ]);
  ledger.giveTo(buyers);
  return ledger;
}

const toUnconverted = ({ unconverted }: Ledger) =>
  [...unconverted]
    .map(([currency, purchases]) => ({ currency, purchases }))
    .toSorted((a, b) => (a.currency < b.currency ? -1 : 1));

/** Revenue of people by arrival, net of refunds by the day of the refund. */
export async function getRevenueCohorts(
  ctx: CohortsContext,
  input: CohortsInput,
): Promise<RevenueCohorts> {
  const { deps, orgId, app } = ctx;
  const { by = 'first_seen', interval = 'month', breakdown = null, experimentId } = input;
  if (breakdown === 'arm' && experimentId === undefined) {
    throw invalidInput('experimentId', 'is required with breakdown=arm');
  }
  if (breakdown !== 'arm' && experimentId !== undefined) {
    throw invalidInput('experimentId', 'goes with breakdown=arm');
  }
  const now = deps.clock();
  const timezone = await resolveTimezone(ctx, input.timezone);
  const window = resolveCohortWindow(input, timezone, now);
  const currency = await currencyOfAnswer(ctx, input.currency);
  const environment = input.environment ?? REAL_PURCHASES;
  const scope = { orgId, appId: app.id, environment };
  const { ledger, historyPending } = await limited(async () => ({
    ledger: await readLedger(ctx, scope, window, { currency, by, breakdown }),
    historyPending: await rows.countUnreadHistories(deps.sql, scope),
  }));
  const seen = await askSeen(ctx, { ledger, window, by, breakdown, experimentId });
  const { placed, sizes, groups } = placePeople(ledger, window, seen, { by, breakdown });
  const counted = countLedger(ledger, window, placed, groups?.values.length ?? 0);
  const shown = breakdown === null ? null : groups;
  return {
    appId: app.id,
    ...{ by, interval, timezone, currency, environment, breakdown, minimumPeople: MINIMUM_PEOPLE },
    cohorts: toCohorts(counted.total, sizes, window),
    pooled: toPooled(counted.total, sizes, window),
    groups:
      shown?.values.flatMap((value, index) => {
        const [cells, people] = [counted.groups[index], shown.sizes[index]];
        if (!cells || !people || people.every((size) => size === 0)) return [];
        const cohorts = toCohorts(cells, people, window);
        return [{ value, cohorts, pooled: toPooled(cells, people, window) }];
      }) ?? null,
    survival: survivalCurve(counted.lives, STEP_DAYS[interval]),
    money: toAccounted(counted, ledger),
    unconverted: toUnconverted(ledger),
    withoutPrice: ledger.withoutPrice,
    historyPending,
    computedAt: toIso(now),
    dataThrough: seen && toIso(new Date(seen.dataThroughMs)),
  };
}
