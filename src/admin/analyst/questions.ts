import type { SystemContext } from '../../context.ts';
import { listApps } from '../../modules/apps/index.ts';
import {
  type Answer,
  answerQuestion,
  listQuestions,
  Question,
  type SavedQuestion,
} from '../../modules/questions/index.ts';
import { type App, withApp } from '../../shared/app.ts';
import { AppError } from '../../shared/errors.ts';
import { parser } from '../../shared/schema.ts';
import { findOrganization } from '../organization.ts';

const questions = parser(Question, 'question');

type Needs = 'clock' | 'latestExperiment' | 'log' | 'purchaseProfiles' | 'queries' | 'sql';
type Input = { org: string; app: string };

async function openApp(ctx: SystemContext<Needs>, { org, app: given }: Input) {
  const { id: orgId } = await findOrganization(ctx.deps.sql, org);
  const inOrganization = { ...ctx, orgId, actor: { kind: 'system' as const } };
  const apps = await listApps(inOrganization);
  const isIt = ({ id, slug, displayName }: App) => [id, slug, displayName].includes(given);
  const app = apps.find(isIt);
  if (app) return withApp(inOrganization, app);
  throw new AppError('not_found', `There is no app "${given}".`, {
    hint: `Its apps: ${apps.map(({ slug }) => slug).join(', ')}`,
  });
}

export const listSaved = async (
  ctx: SystemContext<Needs>,
  input: Input,
): Promise<SavedQuestion[]> => listQuestions(await openApp(ctx, input));

function parseQuestion(text: string): Question {
  try {
    return questions.parse(JSON.parse(text));
  } catch (cause) {
    throw new AppError('invalid_input', 'The question is not valid.', {
      hint: cause instanceof Error ? cause.message : 'must be JSON',
      cause,
    });
  }
}

/** Asks the query process of the service, which has to run. */
export async function askSaved(
  ctx: SystemContext<Needs>,
  { question: given, ...input }: Input & { question: string },
): Promise<Answer> {
  const ofApp = await openApp(ctx, input);
  if (given.trimStart().startsWith('{')) return answerQuestion(ofApp, parseQuestion(given));
  const saved = await listQuestions(ofApp);
  const found = saved.find(({ id, name }) => id === given || name === given);
  if (found) return answerQuestion(ofApp, found.question);
  throw new AppError('not_found', `There is no saved question "${given}".`, {
    hint: `Its questions: ${saved.map(({ name }) => name).join(', ')}`,
  });
}
