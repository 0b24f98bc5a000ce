import type { DeviceContext } from '../../context.ts';
import { invalidInput, notFound } from '../../shared/errors.ts';
import { parser } from '../../shared/schema.ts';
import { isAnonymousId, recordExposure } from '../experiments/index.ts';
import type { Answer } from './answers.ts';
import { createTarget, memberAttribute, type Target } from './compile.ts';
import type { FlagSet } from './flag-sets.ts';
import { Attribute, type EvaluationRequest } from './ofrep.model.ts';

type Asking = DeviceContext<'flagAsks' | 'flagSets' | 'memberIds'>;
export type DecideNeeds =
  | 'assignments'
  | 'clock'
  | 'events'
  | 'flagAsks'
  | 'flagSets'
  | 'memberIds';
type AskingForOne = DeviceContext<DecideNeeds>;

const attributes = parser(Attribute, 'attribute');
/** Flags that a client has read since it last asked for all. */
const READ = 'flagsRead';

/** Throws `invalid_input` without a person. */
async function targetOf(
  { deps, orgId, appId }: Asking,
  { segments }: FlagSet,
  { context }: EvaluationRequest,
  person: string = context.targetingKey ?? '',
): Promise<Target> {
  const { targetingKey } = context;
  if (!targetingKey) throw invalidInput('context.targetingKey', 'is needed');
  const members = new Map<string, boolean>();
  for (const segmentId of segments) {
    const ids = await deps.memberIds.find({ orgId, appId, segmentId });
    members.set(memberAttribute(segmentId), ids.has(person));
  }
  return createTarget(targetingKey, (name) => {
    const sent: unknown = Object.hasOwn(context, name) ? Reflect.get(context, name) : null;
    const value = members.get(name) ?? sent;
    return attributes.check(value) ? value : null;
  });
}

/**
 * JSON, as the protocol has it. Where the arm of a running experiment decides, the exposure is in
 * the event log before the answer. Throws `not_found`.
 */
export async function evaluateFlag(
  ctx: AskingForOne,
  request: EvaluationRequest & { key: string },
): Promise<string> {
  const answer = await evaluateOne(ctx, { ...request, isShown: true });
  if (!answer) throw notFound();
  return answer.json;
}

type Asked = EvaluationRequest & { key: string; isShown: boolean };

async function evaluateOne(ctx: AskingForOne, { key, isShown, ...request }: Asked) {
  const set = await ctx.deps.flagSets.find(ctx);
  const target = await targetOf(ctx, set, request);
  const { person } = target;
  const flag = set.byKey.get(key);
  if (!flag) return null;
  ctx.deps.flagAsks.count(ctx, [flag.id]);
  const answer = flag.evaluate(target);
  const { exposure } = answer;
  // Events know no other ids of devices.
  if (isShown && exposure && isAnonymousId(person)) {
    await recordExposure(ctx, { ...exposure, anonymousId: person });
  }
  return answer;
}

/** For another chapter; null without the flag. An exposure only where it `isShown`. */
export async function decideFlag(ctx: AskingForOne, asked: Asked) {
  return (await evaluateOne(ctx, asked))?.evaluation ?? null;
}

/** Evaluates all flags of the app; counts as no request for one, and as no exposure. */
export async function evaluateFlags(
  ctx: Asking,
  request: EvaluationRequest,
  person?: string,
): Promise<Answer[]> {
  const set = await ctx.deps.flagSets.find(ctx);
  const target = await targetOf(ctx, set, request, person);
  const { byKey } = set;
  const read: unknown = Reflect.get(request.context, READ);
  const keys = Array.isArray(read) ? new Set<unknown>(read) : [];
  const ids = [...keys].flatMap((key) => byKey.get(String(key))?.id ?? []);
  if (ids.length > 0) ctx.deps.flagAsks.count(ctx, ids);
  ctx.deps.flagAsks.countBulk(ctx);
  return [...byKey.values()].map((flag) => flag.evaluate(target));
}
