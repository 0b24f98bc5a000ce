import { at } from '../../shared/assert.ts';
import { questionKind } from '../contract/kind.ts';
import { openedFor } from '../reading/projection/held.ts';
import { PeopleAnswer } from '../selection/people-page.ts';
import { type AppSelection, named } from '../selection/selection.ts';
import { LifecycleAnswer, LifecyclePeopleQuestion, LifecycleQuestion } from './model.ts';
import { heldForLifecycle } from './needs.ts';

/** Whoever was active long ago is not new. */
function selection(question: LifecycleQuestion): AppSelection {
  const { orgId, appId, environment, boundariesUs, names, filters, where } = question;
  const { breakdown = null } = question;
  return {
    ...{ orgId, appId, environment, filters, where, breakdown, ...named(names) },
    beforeUs: at(boundariesUs, boundariesUs.length - 1),
  };
}

const NEEDS = { columns: ['name', 'occurred_at'], counts: true };

export const lifecycle = questionKind(LifecycleQuestion, LifecycleAnswer, {
  isShared: true,
  selection,
  needs: (question) => ({ ...NEEDS, ...openedFor(heldForLifecycle(question)) }),
  count: async () => (await import('./count.ts')).countLifecycle,
  lake: async () => (await import('./count.ts')).lifecycleBySql,
  counter: async () => (await import('./projected.ts')).lifecycleCounter,
});

export const lifecyclePeople = questionKind(LifecyclePeopleQuestion, PeopleAnswer, {
  isShared: false,
  selection,
  needs: () => NEEDS,
  lake: async () => (await import('./count.ts')).lifecyclePeople,
  count: async () => (await import('./count.ts')).lifecyclePeople,
});
