import type { AppContext } from '../../../context.ts';
import { checkLimit } from '../../../shared/app-limits.ts';
import { AppError, invalidInput, notFound, orNotFound } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { isRefusedByJsonb } from '../../../shared/well-formed-json.ts';
import * as model from './model.ts';
import * as queries from './queries.ts';

const MAX_DEPTH = 32;

/** Depth bound against stack overflows, on devices too. */
function isTooDeep(config: unknown): boolean {
  let level: unknown[] = [config];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null
        ? Object.values(value).filter((child) => typeof child === 'object' && child !== null)
        : [],
    );
  }
  return false;
}

/** Throws `invalid_input` over 16 KB, beyond 32 levels, or for text that JSONB refuses. */
function checkConfig(config: unknown): void {
  if (isTooDeep(config)) throw invalidInput('config', `at most ${MAX_DEPTH} levels deep`);
  if (Buffer.byteLength(JSON.stringify(config ?? null)) > model.MAX_CONFIG_BYTES) {
    throw invalidInput('config', `must be at most ${model.MAX_CONFIG_BYTES} bytes as JSON`);
  }
  if (isRefusedByJsonb(config)) {
    throw invalidInput('config', 'must not contain NUL or lone surrogates');
  }
}

export { onboardingExists } from './queries.ts';

export function listOnboardings(ctx: AppContext<'sql'>): Promise<model.Onboarding[]> {
  return queries.selectOnboardings(ctx.deps.sql, ctx.scope);
}

export async function readOnboarding(
  { deps, scope }: AppContext<'sql'>,
  { onboardingId }: { onboardingId: string },
): Promise<model.Onboarding> {
  return orNotFound(await queries.onboardingRows.one(deps.sql, scope, onboardingId));
}

export async function createOnboarding(
  { deps, scope }: AppContext<'clock' | 'sql'>,
  { name, config = null, ...input }: model.CreateOnboardingInput,
): Promise<model.Onboarding> {
  const id = newId('onb');
  checkConfig(config);
  return deps.sql.begin(async (tx) => {
    await queries.lockOnboardings(tx, scope);
    const existing = await queries.selectOnboardings(tx, scope);
    checkLimit(existing.length, model.MAX_ONBOARDINGS_PER_APP, 'onboardings');
    const at = deps.clock();
    const isDefault = existing.length === 0 || input.isDefault === true;
    if (isDefault) await queries.clearDefault(tx, scope, at);
    return queries.onboardingRows.insert(tx, scope, { id, at }, { name, config, isDefault });
  });
}

export async function changeOnboarding(
  { deps, scope }: AppContext<'clock' | 'sql'>,
  input: model.ChangeOnboardingInput & { onboardingId: string },
): Promise<model.Onboarding> {
  const { onboardingId, ...change } = input;
  if ('config' in change) checkConfig(change.config);
  return deps.sql.begin(async (tx) => {
    await queries.lockOnboardings(tx, scope);
    const at = deps.clock();
    if (input.isDefault) await queries.clearDefault(tx, scope, at);
    const present = orNotFound(await queries.onboardingRows.one(tx, scope, onboardingId));
    return orNotFound(
      await queries.onboardingRows.update(tx, scope, { ...present, ...change }, at),
    );
  });
}

export async function deleteOnboarding(
  { deps, scope }: AppContext<'sql'>,
  { onboardingId }: { onboardingId: string },
): Promise<void> {
  await deps.sql.begin(async (tx) => {
    await queries.lockOnboardings(tx, scope);
    const experiment = await queries.experimentUsing(tx, scope, onboardingId);
    if (experiment !== null) {
      throw new AppError('conflict', 'An experiment uses this onboarding.', {
        hint: `Stop or change the experiment "${experiment}" first.`,
      });
    }
    if (!(await queries.onboardingRows.remove(tx, scope, onboardingId))) throw notFound();
  });
}
