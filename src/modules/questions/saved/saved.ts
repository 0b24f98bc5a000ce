import type { AppContext } from '../../../context.ts';
import { checkLimit, checkName } from '../../../shared/app-limits.ts';
import { toAuthor } from '../../../shared/author.ts';
import { notFound, orNotFound } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { lockSubject } from '../../../storage/locks.ts';
import { savedRows } from '../../../storage/saved-rows.ts';
import { forgetUses, recordUses } from '../../segments/index.ts';
import type { Answer } from '../answer.model.ts';
import { answerQuestion } from '../answer.ts';
import { checkQuestion, segmentsNamed } from '../conditions.ts';
import * as model from './model.ts';

const questions = savedRows(model.SavedQuestion, {
  table: 'saved_questions',
  key: 'question_id',
  plain: ['name'],
  json: ['question'],
  by: 'owner',
});

export const { exists: questionExists, lock: lockQuestion } = questions;

const PLACE = 'question.';

type ById = { questionId: string };

export const listQuestions = ({ deps, scope }: AppContext<'sql'>): Promise<model.SavedQuestion[]> =>
  questions.all(deps.sql, scope);

export async function readQuestion(
  { deps, scope }: AppContext<'sql'>,
  { questionId }: ById,
): Promise<model.SavedQuestion> {
  return orNotFound(await questions.one(deps.sql, scope, questionId));
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
  const id = newId('qst');
  const made = { id, by: toAuthor(actor), at: deps.clock() };
  checkQuestion(question, PLACE);
  return deps.sql.begin(async (tx) => {
    await lockSubject(tx, 'questions', app.id);
    const present = await questions.all(tx, scope);
    checkLimit(present.length, model.SAVED_QUESTIONS_PER_APP_MAX, 'questions');
    checkName(present, { id, name }, 'question');
    const use = { kind: 'question', id, name } as const;
    await recordUses(tx, scope, use, segmentsNamed(question, PLACE));
    return questions.insert(tx, scope, made, { name, question });
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
    const present = await questions.all(tx, scope);
    const current = orNotFound(present.find(({ id }) => id === questionId));
    const edited = { ...current, ...change };
    checkName(present, edited, 'question');
    const stored = orNotFound(await questions.update(tx, scope, edited, now));
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
    if (!(await questions.remove(tx, scope, questionId))) throw notFound();
    await forgetUses(tx, scope, { kind: 'question', id: questionId });
  });
}
