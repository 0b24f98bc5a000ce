import type { AppScope } from '../../../shared/app.ts';
import type { Db, Tx } from '../../../storage/postgres.ts';
import { rowParser } from '../../../storage/row-parser.ts';
import { deleteInApp } from '../../../storage/rows-of-app.ts';
import { SavedQuestion } from './model.ts';

const columns = (db: Db) => db`
  question_id AS id, app_id, name, question,
  jsonb_build_object('kind', owner_kind, 'id', owner_id) AS owner,
  created_at, updated_at`;

const toQuestion = rowParser(SavedQuestion, 'stored question');

export const selectQuestions = (db: Db, { orgId, appId }: AppScope) =>
  toQuestion.all(db`
    SELECT ${columns(db)} FROM saved_questions WHERE org_id = ${orgId} AND app_id = ${appId}
    ORDER BY name, question_id`);

export const selectQuestion = (db: Db, { orgId, appId }: AppScope, id: string) =>
  toQuestion.first(db`
    SELECT ${columns(db)} FROM saved_questions
    WHERE org_id = ${orgId} AND app_id = ${appId} AND question_id = ${id}`);

/** There until the transaction ends. */
export const lockQuestion = (tx: Tx, { orgId, appId }: AppScope, id: string) =>
  toQuestion.first(tx`
    SELECT ${columns(tx)} FROM saved_questions
    WHERE org_id = ${orgId} AND app_id = ${appId} AND question_id = ${id} FOR KEY SHARE`);

type NewRow = Pick<SavedQuestion, 'id' | 'name' | 'question' | 'owner' | 'createdAt'>;

export const insertQuestion = (
  tx: Tx,
  { orgId, appId }: AppScope,
  { id, name, question, owner, createdAt }: NewRow,
) =>
  toQuestion.only(tx`
    INSERT INTO saved_questions (question_id, org_id, app_id, name, question, owner_kind, owner_id,
      created_at, updated_at)
    VALUES (${id}, ${orgId}, ${appId}, ${name}, ${JSON.stringify(question)}::text::jsonb,
      ${owner.kind}, ${owner.id}, ${createdAt}, ${createdAt})
    RETURNING ${columns(tx)}`);

export const updateQuestionRow = (
  tx: Tx,
  { orgId, appId }: AppScope,
  { id, name, question }: SavedQuestion,
  at: Date,
) =>
  toQuestion.first(tx`
    UPDATE saved_questions
    SET name = ${name}, question = ${JSON.stringify(question)}::text::jsonb, updated_at = ${at}
    WHERE org_id = ${orgId} AND app_id = ${appId} AND question_id = ${id}
    RETURNING ${columns(tx)}`);

export const deleteQuestionRow = deleteInApp('saved_questions', 'question_id');
