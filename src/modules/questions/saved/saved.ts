import type { AppContext } from '../../../context.ts';
import { checkLimit, checkName } from '../../../shared/app-limits.ts';
import { toAuthor } from '../../../shared/author.ts';
import { notFound, orNotFound } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { toIso } from '../../../shared/time.ts';
import { lockSubject } from '../../../storage/locks.ts';
import { existsInApp } from '../../../storage/rows-of-app.ts';
import { forgetUses, recordUses } from '../../segments/index.ts';
import type { Answer } from '../answer.model.ts';
import { answerQuestion } from '../answer.ts';
import { checkQuestion, segmentsNamed } from '../conditions.ts';
import * as queries from './queries.ts';
import * as model from './model.ts';

export const questionExists = existsInApp('saved_questions', 'question_id');

const PLACE = 'question.';

type ById = { questionId: string };

export const listQuestions = ({ deps, scope }: AppContext<'sql'>): Promise<model.SavedQuestion[]> =>
  queries.selectQuestions(deps.sql, scope);

export async function readQuestion(
  { deps, scope }: AppContext<'sql'>,
  { questionId }: ById,
): Promise<model.SavedQuestion> {
  return orNotFound(await queries.selectQuestion(deps.sql, scope, questionId));
}

export async function answerSavedQuestion(
  ctx: Parameters<typeof answerQuestion>[0],
  input: ById,
): Promise<Answer> {
  const { question } = await readQuestion(ctx, input);
  return answerQuestion(ctx, question);
}

export async function saveQuestion(
  { deps, app, actor, scope }: AppContext<'clock' | 'sql'>,
  { name, question }: model.NewSavedQuestion,
): Promise<model.SavedQuestion> {
  const [owner, createdAt, id] = [toAuthor(actor), toIso(deps.clock()), newId('qst')];
  checkQuestion(question, PLACE);
  return deps.sql.begin(async (tx) => {
    await lockSubject(tx, 'questions', app.id);
    const present = await queries.selectQuestions(tx, scope);
    checkLimit(present.length, model.SAVED_QUESTIONS_PER_APP_MAX, 'questions');
    checkName(present, { id, name }, 'question');
    const use = { kind: 'question', id, name } as const;
    await recordUses(tx, scope, use, segmentsNamed(question, PLACE));
    return queries.insertQuestion(tx, scope, { id, name, question, owner, createdAt });
  });
}

export async function editQuestion(
  { deps, app, scope }: AppContext<'clock' | 'sql'>,
  { questionId, change }: ById & { change: model.SavedQuestionChange },
): Promise<model.SavedQuestion> {
  const now = deps.clock();
  if (change.question) checkQuestion(change.question, PLACE);
  return deps.sql.begin(async (tx) => {
    await lockSubject(tx, 'questions', app.id);
    const present = await queries.selectQuestions(tx, scope);
    const current = orNotFound(present.find(({ id }) => id === questionId));
    const edited = { ...current, ...change };
    checkName(present, edited, 'question');
    const stored = orNotFound(await queries.updateQuestionRow(tx, scope, edited, now));
    const use = { kind: 'question', id: questionId, name: stored.name } as const;
    await recordUses(tx, scope, use, segmentsNamed(stored.question, PLACE));
    return stored;
  });
}

export async function deleteQuestion(
  { deps, scope }: AppContext<'sql'>,
  { questionId }: ById,
): Promise<void> {
  await deps.sql.begin(async (tx) => {
    if (!(await queries.deleteQuestionRow(tx, scope, questionId))) throw notFound();
    await forgetUses(tx, scope, { kind: 'question', id: questionId });
  });
}
