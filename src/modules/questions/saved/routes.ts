import { Type } from '@sinclair/typebox';
import { taggedRoutes } from '../../../http/route.ts';
import { created, removed } from '../../../http/acts.ts';
import { Answer } from '../answer.model.ts';
import { NewSavedQuestion, SavedQuestion, SavedQuestionChange } from './model.ts';
import * as saved from './saved.ts';

const READ = { permission: 'analytics:read', owns: { questionId: saved.questionExists } } as const;
const CHANGE = { permission: 'app:update', owns: { questionId: saved.questionExists } } as const;

export const savedQuestionsRoutes = taggedRoutes('Questions', '/v1/apps/:id/questions')
  .get('', ({ ctx }) => saved.listQuestions(ctx), {
    forApp: { permission: 'analytics:read' },
    response: { 200: Type.Array(SavedQuestion) },
    detail: {
      operationId: 'listQuestions',
      summary: 'List the saved questions of an app, by name',
      description: 'Each with its question, as `answerQuestion` takes it, and who saved it.',
    },
  })
  .post('', created(saved.saveQuestion), {
    forApp: { permission: 'app:update', errors: ['conflict'] },
    body: NewSavedQuestion,
    response: { 201: SavedQuestion },
    detail: {
      operationId: 'saveQuestion',
      summary: 'Save a question under a name',
      description: 'A name that another question of the app has is 409, as is the 201st.',
    },
  })
  .get('/:questionId', ({ ctx, params }) => saved.readQuestion(ctx, params), {
    forApp: READ,
    response: { 200: SavedQuestion },
    detail: {
      operationId: 'getQuestion',
      summary: 'Read a saved question',
      description: 'What is asked, not its answer.',
    },
  })
  .get('/:questionId/answer', ({ ctx, params }) => saved.answerSavedQuestion(ctx, params), {
    forApp: READ,
    response: { 200: Answer },
    detail: {
      operationId: 'getQuestionAnswer',
      summary: 'Answer a saved question now',
      description: 'As `answerQuestion` with its question: days count back from today.',
    },
  })
  .put(
    '/:questionId',
    ({ ctx, params, body }) =>
      saved.editQuestion(ctx, { questionId: params.questionId, change: body }),
    {
      forApp: { ...CHANGE, errors: ['conflict'] },
      body: SavedQuestionChange,
      response: { 200: SavedQuestion },
      detail: {
        operationId: 'updateQuestion',
        summary: 'Edit a saved question: its name, what it asks or both',
        description: 'What is left out stays; its id, address and owner always do.',
      },
    },
  )
  .delete('/:questionId', removed(saved.deleteQuestion), {
    forApp: CHANGE,
    response: { 204: Type.Void() },
    detail: {
      operationId: 'deleteQuestion',
      summary: 'Delete a saved question',
      description: 'Its address then answers 404.',
    },
  });
