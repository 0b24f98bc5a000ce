import { at } from '../../shared/assert.ts';
import { questionKind } from '../contract/kind.ts';
import { ARM_COLUMNS } from '../funnel/plan.ts';
import { ORDER_COLUMNS } from '../reading/duckdb/first-event.ts';
import { dimensionSql } from '../selection/dimension.ts';
import type { AppSelection } from '../selection/selection.ts';
import { CohortsAnswer, CohortsQuestion } from './model.ts';

/** Exposures are no events of clients. */
function selection({ orgId, appId, environment, boundariesUs, by }: CohortsQuestion): AppSelection {
  return {
    ...{ orgId, appId, environment },
    ...(by?.kind !== 'inArm' && { ofClients: true }),
    beforeUs: at(boundariesUs, boundariesUs.length - 1),
  };
}

function columnsOf({ by }: CohortsQuestion): string[] {
  if (by === null) return ['occurred_at'];
  if (by.kind === 'inArm') return ['occurred_at', 'props', ...ARM_COLUMNS];
  return [...ORDER_COLUMNS, dimensionSql(by.of).column];
}

export const cohorts = questionKind(CohortsQuestion, CohortsAnswer, {
  isShared: true,
  selection,
  needs: (question) => ({ columns: ['name', ...columnsOf(question)] }),
  lake: 'The people whose first events it reads are given with the question.',
  count: async () => (await import('./count.ts')).countCohorts,
});
