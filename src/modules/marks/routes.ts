import { Type } from '@sinclair/typebox';
import { taggedRoutes } from '../../http/route.ts';
import { created, removed } from '../../http/acts.ts';
import { noteExists } from './index.ts';
import { listMarks } from './list.ts';
import { Mark, Marks, MarksQuery, NewMark } from './model.ts';
import { addNote, deleteNote } from './notes.ts';

export const marksRoutes = taggedRoutes('Marks', '/v1/apps/:id/marks')
  .get('', ({ ctx, query }) => listMarks(ctx, query), {
    forApp: { permission: 'analytics:read' },
    query: MarksQuery,
    response: { 200: Marks },
    detail: {
      operationId: 'listMarks',
      summary: 'What happened on which day, for the charts of an app',
      description:
        'The first sight of a version (the first finished day on which at least three people, and five percent of the people of the day, used it in production), start and stop of experiments, changes of a product’s price by the store’s reports, and notes by hand. The 28 days that end with today unless asked otherwise.',
    },
  })
  .post('', created(addNote), {
    forApp: { permission: 'app:update', errors: ['conflict'] },
    body: NewMark,
    response: { 201: Mark },
    detail: {
      operationId: 'createMark',
      summary: 'Write a note beside the charts of an app',
      description:
        'The author is kept with it. The same text on the same day is there once. At most 1,000 an app.',
    },
  })
  .delete('/:markId', removed(deleteNote), {
    forApp: { permission: 'app:update', owns: { markId: noteExists } },
    response: { 204: Type.Void() },
    detail: {
      operationId: 'deleteMark',
      summary: 'Delete a note',
      description: 'Marks that follow from events, experiments and sales cannot be deleted.',
    },
  });
