import { at } from '../../shared/assert.ts';
import { questionKind } from '../contract/kind.ts';
import { openedFor } from '../reading/projection/held.ts';
import { PeopleAnswer } from '../selection/people-page.ts';
import { type AppSelection, named } from '../selection/selection.ts';
import * as model from './model.ts';
import { columnsRead, heldForRetention, namesRead } from './selections.ts';

function selection(question: model.RetentionRules): AppSelection {
  const { orgId, appId, environment, boundariesUs, cohort } = question;
  return {
    ...{ orgId, appId, environment },
    ...named(namesRead(question)),
    ...(cohort === 'recurring' && { fromUs: at(boundariesUs, 0) }),
    beforeUs: at(boundariesUs, boundariesUs.length - 1),
  };
}

const needs = (question: model.RetentionRules) => ({
  columns: ['name', ...columnsRead(question)],
  counts: true,
});

export const retention = questionKind(model.RetentionQuestion, model.RetentionAnswer, {
  isShared: true,
  selection,
  needs: (question) => ({ ...needs(question), ...openedFor(heldForRetention(question)) }),
  count: async () => (await import('./count.ts')).countRetention,
  lake: async () => (await import('./count.ts')).retentionBySql,
  counter: async () => (await import('./projected.ts')).retentionCounter,
});

export const retentionPeople = questionKind(model.RetentionPeopleQuestion, PeopleAnswer, {
  isShared: false,
  selection,
  needs,
  lake: async () => (await import('./count.ts')).retentionPeople,
  count: async () => (await import('./count.ts')).retentionPeople,
});
