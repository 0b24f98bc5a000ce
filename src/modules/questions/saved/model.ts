import { type Static, Type } from '@sinclair/typebox';
import { Author } from '../../../shared/author.ts';
import { SavedInApp } from '../../../shared/saved.ts';
import { Named } from '../../../shared/schema.ts';
import { Name } from '../../../shared/text.ts';
import { Question } from '../model.ts';

export const SAVED_QUESTIONS_PER_APP_MAX = 200;

const EXAMPLE = {
  name: 'Searches without a result',
  question: {
    kind: 'series',
    series: [
      {
        events: ['searched'],
        where: { all: [{ field: 'prop:results', op: 'is', value: 0 }] },
      },
    ],
    days: 28,
  },
};

const QuestionName = Name(1, 80);

export const SavedQuestion = SavedInApp('SavedQuestion', {
  name: QuestionName,
  question: Question,
  owner: Author,
});
export type SavedQuestion = Static<typeof SavedQuestion>;

export const NewSavedQuestion = Named(
  'NewSavedQuestion',
  { name: QuestionName, question: Question },
  { examples: [EXAMPLE] },
);
export type NewSavedQuestion = Static<typeof NewSavedQuestion>;

export const SavedQuestionChange = Type.Partial(NewSavedQuestion, {
  title: 'SavedQuestionChange',
  minProperties: 1,
  examples: [{ name: 'Searches that found nothing' }],
});
export type SavedQuestionChange = Static<typeof SavedQuestionChange>;
