import { taggedRoutes } from '../../http/route.ts';
import { Answer } from './answer.model.ts';
import { answerQuestion } from './answer.ts';
import { Question } from './model.ts';
import { PeopleOfQuestion, QuestionPeopleBody } from './people.model.ts';
import { listQuestionPeople } from './people.ts';

export const questionsRoutes = taggedRoutes('Questions', '/v1/apps/:id/questions')
  .post('/answer', ({ ctx, body }) => answerQuestion(ctx, body), {
    forApp: { permission: 'analytics:read' },
    body: Question,
    response: { 200: Answer },
    detail: {
      operationId: 'answerQuestion',
      'x-asks': 'question',
      summary: 'Ask for series, a funnel or retention of any selection of events',
      description:
        'Each series, each step of a funnel, its entry, the start and the return of retention can be any selection of events: by name, and by up to 12 conditions on fields and properties, of which all or any hold. A missing value equals nothing, contains nothing and is greater than nothing, so `isNot` holds for it. The answer says its exact window. A wrong condition is refused by its place, such as `steps[1].where.all[0].value`. Nothing is stored.',
    },
  })
  .post('/people', ({ ctx, body }) => listQuestionPeople(ctx, body), {
    forApp: { permission: 'analytics:read', errors: ['conflict'] },
    body: QuestionPeopleBody,
    response: { 200: PeopleOfQuestion },
    detail: {
      operationId: 'listQuestionPeople',
      'x-asks': 'asked',
      summary: 'The people behind a figure of a question',
      description:
        'Of a point of series or measures, a step of a funnel, a cell of retention or a state of the lifecycle; by id, a page at a time. What the question has of its own as `breakdown` and `segments` is left out: add the value as a condition. 409 `conflict` where fewer than fifty people are in the whole answer: a list of them would disclose them.',
    },
  });
