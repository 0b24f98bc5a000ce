import type { AppContext } from '../../../context.ts';
import type { CohortsAnswer, CohortsQuestion } from '../../../query/cohorts/model.ts';
import type { Ledger } from './ledger.ts';
import type { Anchor, CohortBreakdown } from './model.ts';
import { type CohortWindow, endOf } from './window.ts';

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
export async function askSeen(
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
