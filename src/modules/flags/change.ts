import type { AppContext } from '../../context.ts';
import { placedMembers } from '../../query/selection/conditions.ts';
import type { AppScope } from '../../shared/app.ts';
import { at, onlyRow } from '../../shared/assert.ts';
import { toAuthor } from '../../shared/author.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { lockSubject } from '../../storage/locks.ts';
import { brokenUniqueConstraint, type Tx } from '../../storage/postgres.ts';
import { forgetUses, recordUses } from '../segments/index.ts';
import { checkExperiments } from './check-experiments.ts';
import { bytesOf, checkDefinition, tooMany } from './checks.ts';
import * as model from './model.ts';
import * as queries from './queries.ts';

type Changing = AppContext<'clock' | 'flagSets' | 'log' | 'sql'>;

const membersOf = ({ rules }: model.FlagDefinition) =>
  rules.flatMap(({ where }, index) => (where ? placedMembers(where, `rules[${index}].where`) : []));

const withIds = (rules: readonly model.NewRule[]) =>
  rules.map(({ id, ...rule }) => ({ id: id ?? newId('rul'), ...rule }));

/** False, or as where no rule applies. */
const offVariantOf = ({
  variants,
  defaultVariant,
}: Pick<model.NewFlag, 'variants' | 'defaultVariant'>): string =>
  variants.find(({ value }) => value === false)?.name ?? defaultVariant;

function audit(
  { deps, requestId, orgId, app, actor }: Changing,
  act: 'flag_created' | 'flag_changed' | 'flag_restored' | 'flag_deleted',
  flag: { key: string; isOn?: boolean; version?: number; why?: string | null },
): void {
  const by = toAuthor(actor);
  deps.log.info({ audit: act, requestId, orgId, appId: app.id, by, ...flag }, 'flag changed');
}

/** Throws `conflict` where an answer would get too large. */
async function checkSize(tx: Tx, scope: AppScope): Promise<void> {
  const flags = await queries.selectServed(tx, scope);
  if (flags.length > model.MAX_FLAGS_PER_APP) {
    throw tooMany(`An app has at most ${model.MAX_FLAGS_PER_APP} flags.`, 'Delete one first.');
  }
  const bytes = flags.reduce(
    (sum, { definition }) => sum + Math.max(...definition.variants.map(bytesOf)),
    0,
  );
  if (bytes <= model.MAX_ANSWER_BYTES) return;
  throw tooMany(
    `The values of all flags of an app are at most ${model.MAX_ANSWER_BYTES} bytes together.`,
    'An answer carries a value of each: delete a flag or shorten a value.',
  );
}

async function readOne(tx: Tx, scope: AppScope, flagId: string): Promise<model.Flag> {
  return onlyRow(await queries.selectFlags(tx, scope, flagId));
}

/** Off by default. Throws `conflict` for a key in use and at the limits. */
export async function createFlag(ctx: Changing, input: model.NewFlag): Promise<model.Flag> {
  const { deps, app, scope } = ctx;
  const { key, why = null, isOn = false, description = '', rules = [], ...rest } = input;
  const { offVariant = offVariantOf(rest) } = rest;
  const definition = { ...rest, isOn, description, offVariant, rules: withIds(rules) };
  checkDefinition(definition);
  const made = { id: newId('flg'), key, definition, at: deps.clock() };
  const by = toAuthor(ctx.actor);
  try {
    const flag = await deps.sql.begin(async (tx) => {
      await lockSubject(tx, 'flags', app.id);
      await checkExperiments(tx, scope, definition);
      await queries.insertFlag(tx, scope, made);
      await recordUses(tx, scope, { kind: 'flag', id: made.id, name: key }, membersOf(definition));
      await checkSize(tx, scope);
      const version = { flagId: made.id, version: 1, act: 'created' as const, why, by };
      await queries.insertVersion(tx, scope, { ...version, definition, at: made.at });
      await queries.raiseSetVersion(tx, scope);
      return readOne(tx, scope, made.id);
    });
    deps.flagSets.forget(app.id);
    audit(ctx, 'flag_created', { key, isOn, version: 1, why });
    return flag;
  } catch (thrown) {
    if (brokenUniqueConstraint(thrown) !== 'flags_key') throw thrown;
    throw new AppError('conflict', 'Another flag of this app has this key.', {
      hint: 'key: change that flag, or choose another key',
    });
  }
}

type NextVersion = {
  act: model.FlagVersion['act'];
  why: string | null;
  next: (
    tx: Tx,
    before: model.Flag,
  ) => Promise<model.FlagDefinition | undefined> | model.FlagDefinition | undefined;
};

async function changeTo(
  ctx: Changing,
  flagId: string,
  { act, why, next }: NextVersion,
): Promise<model.Flag> {
  const { deps, app, scope } = ctx;
  const by = toAuthor(ctx.actor);
  const { flag, isChanged } = await deps.sql.begin(async (tx) => {
    await lockSubject(tx, 'flags', app.id);
    const [before] = await queries.selectFlags(tx, scope, flagId);
    if (!before) throw notFound();
    const definition = await next(tx, before);
    if (!definition) return { flag: before, isChanged: false };
    checkDefinition(definition);
    await checkExperiments(tx, scope, definition);
    const use = { kind: 'flag', id: flagId, name: before.key } as const;
    await recordUses(tx, scope, use, membersOf(definition));
    const changedAt = deps.clock();
    const version = await queries.updateFlagRow(tx, scope, {
      id: flagId,
      definition,
      at: changedAt,
    });
    await checkSize(tx, scope);
    await queries.insertVersion(tx, scope, {
      flagId,
      version,
      act,
      definition,
      why,
      by,
      at: changedAt,
    });
    await queries.raiseSetVersion(tx, scope);
    return { flag: await readOne(tx, scope, flagId), isChanged: true };
  });
  if (!isChanged) return flag;
  deps.flagSets.forget(app.id);
  const { key, isOn, version } = flag;
  audit(ctx, act === 'restored' ? 'flag_restored' : 'flag_changed', { key, isOn, version, why });
  return flag;
}

const definitionOf = ({
  type,
  isOn,
  description,
  variants,
  defaultVariant,
  offVariant,
  rules,
}: model.Flag): model.FlagDefinition => ({
  type,
  isOn,
  description,
  variants,
  defaultVariant,
  offVariant,
  rules,
});

/** Within 5 s everywhere. Throws `conflict` on another version. */
export function changeFlag(
  ctx: Changing,
  { flagId, why, version, ...change }: model.FlagChange & { flagId: string },
): Promise<model.Flag> {
  return changeTo(ctx, flagId, {
    act: 'changed',
    why: why ?? null,
    next: (_, before) => {
      if (version !== undefined && version !== before.version) {
        throw new AppError('conflict', 'The flag was changed meanwhile.', {
          hint: `version: it is ${before.version} now; read the flag and change it again`,
        });
      }
      const { rules, ...fields } = change;
      const present = definitionOf(before);
      const next = { ...present, ...fields, ...(rules && { rules: withIds(rules) }) };
      return Bun.deepEquals(next, present) ? undefined : next;
    },
  });
}

/** A version as it was becomes the newest. Throws `not_found`. */
export function restoreFlag(
  ctx: Changing,
  { flagId, version, why }: model.RestoreFlagInput & { flagId: string },
): Promise<model.Flag> {
  const { scope } = ctx;
  return changeTo(ctx, flagId, {
    act: 'restored',
    why: why ?? null,
    next: async (tx, { type }) => {
      const found = await queries.selectVersions(tx, scope, flagId, version);
      if (found.length === 0) throw notFound();
      const { isOn, description, variants, defaultVariant, offVariant, rules } = at(found, 0);
      return { type, isOn, description, variants, defaultVariant, offVariant, rules };
    },
  });
}

export async function deleteFlag(ctx: Changing, { flagId }: { flagId: string }): Promise<void> {
  const { deps, app, scope } = ctx;
  const deleted = await deps.sql.begin(async (tx) => {
    await lockSubject(tx, 'flags', app.id);
    const row = await queries.deleteFlagRow(tx, scope, flagId);
    if (row) await queries.raiseSetVersion(tx, scope);
    if (row) await forgetUses(tx, scope, { kind: 'flag', id: flagId });
    return row;
  });
  if (!deleted) throw notFound();
  deps.flagSets.forget(app.id);
  audit(ctx, 'flag_deleted', deleted);
}
