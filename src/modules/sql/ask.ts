import type { OrgContext } from '../../context.ts';
import { AppError, errorMessage, invalidInput } from '../../shared/errors.ts';
import { toIso } from '../../shared/time.ts';
import type { SqlAnswer, SqlFault, SqlQuestion, SqlReply } from './model.ts';

const RETRY_AFTER_SECONDS = 5;
const HOUR_SECONDS = 3_600;

const SENTENCES: Readonly<Record<Exclude<SqlFault, 'refused'>, [string, string]>> = {
  timeout: ['The question took too long.', 'Ask for fewer days, or aggregate earlier.'],
  memory: [
    'The question needs more memory than one question has.',
    'Ask for fewer rows or columns, or aggregate earlier.',
  ],
  busy: [
    'Too many SQL questions of this organization are waiting.',
    'Ask again when earlier ones have an answer.',
  ],
  not_isolated: [
    'SQL cannot be asked on this machine: its kernel cannot isolate a question.',
    'The operator finds in docs/sql.md what the kernel has to offer.',
  ],
  lost: ['SQL cannot be asked right now.', 'Try again in a few seconds.'],
};

function unavailable(fault: Exclude<SqlFault, 'refused'>, cause: unknown): AppError {
  const [message, hint] = SENTENCES[fault];
  return new AppError('unavailable', message, {
    hint,
    retryAfterSeconds: fault === 'not_isolated' ? HOUR_SECONDS : RETRY_AFTER_SECONDS,
    cause,
  });
}

type Answered = Exclude<SqlReply, { fault: unknown }>;

function answered(reply: SqlReply): Answered {
  if (!('fault' in reply)) return reply;
  if (reply.fault === 'refused') throw invalidInput('sql', reply.message);
  throw unavailable(reply.fault, new Error(reply.message));
}

export async function askSql(
  { deps, orgId, signal }: OrgContext<'askSql'>,
  { sql, parameters = {} }: SqlQuestion,
): Promise<SqlAnswer> {
  const startedAt = performance.now();
  const reply = await deps.askSql({ orgId, sql, parameters }, signal).catch((thrown: unknown) => {
    throw unavailable('lost', new Error(errorMessage(thrown), { cause: thrown }));
  });
  const { dataThroughMs, ...answer } = answered(reply);
  return {
    ...answer,
    dataThrough: dataThroughMs === null ? null : toIso(new Date(dataThroughMs)),
    durationMs: Math.round(performance.now() - startedAt),
  };
}
