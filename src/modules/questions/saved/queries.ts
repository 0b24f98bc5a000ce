import type { AppScope } from '../../../shared/app.ts';
import { onlyRow } from '../../../shared/assert.ts';
import type { Db, Tx } from '../../../storage/postgres.ts';
import { rowParser } from '../../../storage/row-parser.ts';
import { deleteInApp } from '../../../storage/rows-of-app.ts';
import { SavedQuestion } from './model.ts';

const columns = (db: Db) => db`
  question_id AS id, app_id, name, question,
  jsonb_build_object('kind', owner_kind, 'id', owner_id) AS owner,
  created_at, updated_at`;

const toQuestion = rowParser(SavedQuestion, 'stored question');

export async function selectQuestions(
  db: Db,
  { orgId, appId }: AppScope,
): Promise<SavedQuestion[]> {
  const rows = await db`
    SELECT ${columns(db)} FROM saved_questions WHERE org_id = ${orgId} AND app_id = ${appId}
    ORDER BY name, question_id`;
  return rows.map(toQuestion);
}

export async function selectQuestion(
  db: Db,
  { orgId, appId }: AppScope,
  id: string,
): Promise<SavedQuestion | null> {
  const [row] = await db`
    SELECT ${columns(db)} FROM saved_questions
    WHERE org_id = ${orgId} AND app_id = ${appId} AND question_id = ${id}`;
  return row ? toQuestion(row) : null;
}

/** There until the transaction ends. */
export async function lockQuestion(
  tx: Tx,
  { orgId, appId }: AppScope,
  id: string,
): Promise<SavedQuestion | null> {
  const [row] = await tx`
    SELECT ${columns(tx)} FROM saved_questions
    WHERE org_id = ${orgId} AND app_id = ${appId} AND question_id = ${id} FOR KEY SHARE`;
  return row ? toQuestion(row) : null;
}

type NewRow = Pick<SavedQuestion, 'id' | 'name' | 'question' | 'owner' | 'createdAt'>;

export async function insertQuestion(
  tx: Tx,
  { orgId, appId }: AppScope,
  { id, name, question, owner, createdAt }: NewRow,
): Promise<SavedQuestion> {
  const rows = await tx`
    INSERT INTO saved_questions (question_id, org_id, app_id, name, question, owner_kind, owner_id,
      created_at, updated_at)
    VALUES (${id}, ${orgId}, ${appId}, ${name}, ${JSON.stringify(question)}::text::jsonb,
      ${owner.kind}, ${owner.id}, ${createdAt}, ${createdAt})
    RETURNING ${columns(tx)}`;
  return toQuestion(onlyRow(rows));
}

export async function updateQuestionRow(
  tx: Tx,
  { orgId, appId }: AppScope,
  { id, name, question }: SavedQuestion,
  at: Date,
): Promise<SavedQuestion | null> {
  const [row] = await tx`
    UPDATE saved_questions
    SET name = ${name}, question = ${JSON.stringify(question)}::text::jsonb, updated_at = ${at}
    WHERE org_id = ${orgId} AND app_id = ${appId} AND question_id = ${id}
    RETURNING ${columns(tx)}`;
  return row ? toQuestion(row) : null;
}

export const deleteQuestionRow = deleteInApp('saved_questions', 'question_id');
