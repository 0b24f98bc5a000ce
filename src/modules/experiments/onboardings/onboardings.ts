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
function configJson(config: unknown): string {
  if (isTooDeep(config)) throw invalidInput('config', `at most ${MAX_DEPTH} levels deep`);
  const json = JSON.stringify(config ?? null);
  if (Buffer.byteLength(json) > model.MAX_CONFIG_BYTES) {
    throw invalidInput('config', `must be at most ${model.MAX_CONFIG_BYTES} bytes as JSON`);
  }
  if (isRefusedByJsonb(config)) {
    throw invalidInput('config', 'must not contain NUL or lone surrogates');
  }
  return json;
}

export { onboardingExists } from './queries.ts';

export function listOnboardings(ctx: AppContext<'sql'>): Promise<model.Onboarding[]> {
  return queries.selectOnboardings(ctx.deps.sql, ctx.scope);
}

export async function readOnboarding(
  { deps, scope }: AppContext<'sql'>,
  { onboardingId }: { onboardingId: string },
): Promise<model.Onboarding> {
  return orNotFound(await queries.selectOnboarding(deps.sql, scope, onboardingId));
}

export async function createOnboarding(
  { deps, scope }: AppContext<'clock' | 'sql'>,
  { name, config, ...input }: model.CreateOnboardingInput,
): Promise<model.Onboarding> {
  const id = newId('onb');
  const json = configJson(config);
  return deps.sql.begin(async (tx) => {
    await queries.lockOnboardings(tx, scope);
    const existing = await queries.selectOnboardings(tx, scope);
    checkLimit(existing.length, model.MAX_ONBOARDINGS_PER_APP, 'onboardings');
    const at = deps.clock();
    const isDefault = existing.length === 0 || input.isDefault === true;
    if (isDefault) await queries.clearDefault(tx, scope, at);
    return queries.insertOnboarding(tx, scope, { id, name, configJson: json, isDefault, at });
  });
}

export async function changeOnboarding(
  { deps, scope }: AppContext<'clock' | 'sql'>,
  input: model.ChangeOnboardingInput & { onboardingId: string },
): Promise<model.Onboarding> {
  const json = 'config' in input ? configJson(input.config) : null;
  return deps.sql.begin(async (tx) => {
    await queries.lockOnboardings(tx, scope);
    const at = deps.clock();
    if (input.isDefault) await queries.clearDefault(tx, scope, at);
    const changed = await queries.updateOnboarding(tx, scope, input.onboardingId, {
      name: input.name ?? null,
      configJson: json,
      isDefault: input.isDefault ?? null,
      at,
    });
    if (!changed) throw notFound();
    return changed;
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
    if (!(await queries.deleteOnboardingRow(tx, scope, onboardingId))) throw notFound();
  });
}
