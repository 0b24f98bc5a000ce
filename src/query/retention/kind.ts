import { at } from '../../shared/assert.ts';
import { questionKind } from '../kind.ts';
import { PeopleAnswer } from '../selection/people-page.ts';
import { type AppSelection, named } from '../selection/selection.ts';
import {
  RetentionAnswer,
  RetentionPeopleQuestion,
  RetentionQuestion,
  type RetentionRules,
} from './model.ts';

/** For a cohort by the first event ever, everything that ever happened. */
function selection(question: RetentionRules): AppSelection {
  const { orgId, appId, environment, boundariesUs, cohort, startName, returnName } = question;
  const isAny = startName === null || returnName === null;
  return {
    ...{ orgId, appId, environment },
    ...named(isAny ? null : [...new Set([startName, returnName])]),
    ...(cohort === 'recurring' && { fromUs: at(boundariesUs, 0) }),
    beforeUs: at(boundariesUs, boundariesUs.length - 1),
  };
}

const NEEDS = { columns: ['name', 'occurred_at'], counts: true };

export const retention = questionKind(RetentionQuestion, RetentionAnswer, {
  isShared: true,
  selection,
  needs: ({ periodUs }) => ({ ...NEEDS, projections: periodUs === null }),
  count: async () => (await import('./count.ts')).countRetention,
  counter: async () => (await import('./projected.ts')).retentionCounter,
});

export const retentionPeople = questionKind(RetentionPeopleQuestion, PeopleAnswer, {
  isShared: false,
  selection,
  needs: () => NEEDS,
  count: async () => (await import('./people.ts')).retentionPeople,
});
