import { expect, test } from 'bun:test';
import { stepsCsv } from '../../../src/modules/questions/funnel/csv.ts';
import { StepFigures } from '../../../src/modules/questions/funnel/answer.model.ts';

test('the file of a report has every figure of a step; the condition of a step is none', () => {
  const [head = ''] = stepsCsv({ steps: [] }).split('\r\n');
  const figures = Object.keys(StepFigures.properties).filter((name) => name !== 'where');
  expect(head.split(',').toSorted()).toEqual(figures.toSorted());
});
