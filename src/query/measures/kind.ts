import { at } from '../../shared/assert.ts';
import { questionKind } from '../contract/kind.ts';
import { openedFor } from '../reading/projection/held.ts';
import { SESSION_COLUMNS, SESSION_MARGIN_US } from '../reading/source/session.ts';
import { selectedColumns } from '../selection/among-others.ts';
import { type AppSelection, named } from '../selection/selection.ts';
import { isOfSessions, MeasuresAnswer, MeasuresQuestion } from './model.ts';
import { heldForMeasures } from './needs.ts';

function selection(question: MeasuresQuestion): AppSelection {
  const { orgId, appId, environment, boundariesUs, names, filters, where } = question;
  const { breakdown = null } = question;
  const [fromUs, beforeUs] = [at(boundariesUs, 0), at(boundariesUs, boundariesUs.length - 1)];
  const ofApp = { orgId, appId, environment, breakdown };
  if (!isOfSessions(question.measure)) {
    return { ...ofApp, fromUs, beforeUs, filters, where, ...named(names) };
  }
  // How long a session was say all of its events.
  return {
    ...ofApp,
    ofClients: true,
    fromUs: fromUs - SESSION_MARGIN_US,
    beforeUs: beforeUs + SESSION_MARGIN_US,
  };
}

export const measures = questionKind(MeasuresQuestion, MeasuresAnswer, {
  isShared: true,
  selection,
  needs: (question) => ({
    columns: isOfSessions(question.measure)
      ? [...SESSION_COLUMNS, ...selectedColumns(question)]
      : ['name', 'occurred_at', ...(question.measure.of === 'property' ? ['props'] : [])],
    counts: true,
    ...openedFor(heldForMeasures(question)),
  }),
  count: async () => {
    const { countMeasures } = await import('./count.ts');
    return (run, question) => countMeasures(run, question);
  },
  lake: async () => (await import('./count.ts')).measuresBySql,
  counter: async () => (await import('./projected.ts')).measureCounter,
});
