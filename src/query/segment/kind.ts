import { questionKind } from '../contract/kind.ts';
import { SegmentAnswer, SegmentQuestion } from './model.ts';
import { segmentColumns, segmentSelection } from './needs.ts';

export const segment = questionKind(SegmentQuestion, SegmentAnswer, {
  isShared: true,
  selection: segmentSelection,
  needs: (question) => ({ columns: segmentColumns(question), counts: true }),
  lake: 'Lists of people are given with the question.',
  count: async () => (await import('./members.ts')).segmentPeople,
  counter: async () => (await import('./projected.ts')).tallyCounter,
});
