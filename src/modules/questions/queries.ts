import type { AppScope } from '../../shared/app.ts';
import { onlyRow } from '../../shared/assert.ts';
import { parser } from '../../shared/schema.ts';
import { toIso } from '../../shared/time.ts';
import type { Db, Tx } from '../../storage/postgres.ts';
import { deleteInApp, existsInApp } from '../../storage/rows-of-app.ts';
import { SavedQuestion } from './saved.model.ts';

type QuestionRow = { createdAt: Date; updatedAt: Date };

const questions = parser(SavedQuestion, 'stored question');

const columns = (db: Db) => db`
  question_id AS id, app_id AS "appId", name, question,
  jsonb_build_object('kind', owner_kind, 'id', owner_id) AS owner,
  created_at AS "createdAt", updated_at AS "updatedAt"`;

const toQuestion = (row: QuestionRow): SavedQuestion =>
  questions.parse({
    ...row,
    createdAt: toIso(row.createdAt),
    updatedAt: toIso(row.updatedAt),
  });

export async function selectQuestions(
  db: Db,
  { orgId, appId }: AppScope,
): Promise<SavedQuestion[]> {
  const rows = await db<QuestionRow[]>`
    SELECT ${columns(db)} FROM saved_questions WHERE org_id = ${orgId} AND app_id = ${appId}
    ORDER BY name, question_id`;
  return rows.map(toQuestion);
}

export async function selectQuestion(
  db: Db,
  { orgId, appId }: AppScope,
  id: string,
): Promise<SavedQuestion | null> {
  const [row] = await db<QuestionRow[]>`
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
  const [row] = await tx<QuestionRow[]>`
    SELECT ${columns(tx)} FROM saved_questions
    WHERE org_id = ${orgId} AND app_id = ${appId} AND question_id = ${id} FOR KEY SHARE`;
  return row ? toQuestion(row) : null;
}

export const questionExists = existsInApp('saved_questions', 'question_id');

type NewRow = Pick<SavedQuestion, 'id' | 'name' | 'question' | 'owner' | 'createdAt'>;

export async function insertQuestion(
  tx: Tx,
  { orgId, appId }: AppScope,
  { id, name, question, owner, createdAt }: NewRow,
): Promise<SavedQuestion> {
  const rows = await tx<QuestionRow[]>`
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
  const [row] = await tx<QuestionRow[]>`
    UPDATE saved_questions
    SET name = ${name}, question = ${JSON.stringify(question)}::text::jsonb, updated_at = ${at}
    WHERE org_id = ${orgId} AND app_id = ${appId} AND question_id = ${id}
    RETURNING ${columns(tx)}`;
  return row ? toQuestion(row) : null;
}

export const deleteQuestionRow = deleteInApp('saved_questions', 'question_id');
