import { rowParser } from '../../../storage/row-parser.ts';
import type { AppScope } from '../../../shared/app.ts';
import { lockSubject } from '../../../storage/locks.ts';
import { type Db, type Tx, done, firstValue } from '../../../storage/postgres.ts';
import { deleteInApp, existsInApp } from '../../../storage/rows-of-app.ts';
import { Onboarding } from './model.ts';

const columns = (db: Db) => db`
  onboarding_id AS id, app_id, name, config, is_default, created_at, updated_at`;

const onboardingRows = rowParser(Onboarding, 'stored onboarding');

export const selectOnboardings = (db: Db, scope: AppScope) =>
  onboardingRows.all(db`
    SELECT ${columns(db)} FROM onboardings
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
    ORDER BY is_default DESC, created_at, onboarding_id`);

export const selectOnboarding = (db: Db, scope: AppScope, id: string) =>
  onboardingRows.first(db`
    SELECT ${columns(db)} FROM onboardings
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND onboarding_id = ${id}`);

export const onboardingExists = existsInApp('onboardings', 'onboarding_id');

/** Serializes changes of an app, so that limits and the one default hold. */
export function lockOnboardings(tx: Tx, { appId }: AppScope): Promise<void> {
  return lockSubject(tx, 'onboardings', appId);
}

export const clearDefault = (tx: Tx, scope: AppScope, at: Date) =>
  done(tx`
    UPDATE onboardings SET is_default = false, updated_at = ${at}
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND is_default`);

type NewOnboarding = { id: string; name: string; configJson: string; isDefault: boolean; at: Date };

export const insertOnboarding = (
  tx: Tx,
  { orgId, appId }: AppScope,
  { id, name, configJson, isDefault, at }: NewOnboarding,
) =>
  onboardingRows.only(tx`
    INSERT INTO onboardings
      (onboarding_id, org_id, app_id, name, config, is_default, created_at, updated_at)
    VALUES (${id}, ${orgId}, ${appId}, ${name}, ${configJson}::text::jsonb, ${isDefault}, ${at},
      ${at})
    RETURNING ${columns(tx)}`);

type OnboardingChange = {
  [Key in 'name' | 'configJson' | 'isDefault']: NewOnboarding[Key] | null;
} & {
  at: Date;
};

export const updateOnboarding = (tx: Tx, scope: AppScope, id: string, change: OnboardingChange) =>
  onboardingRows.first(tx`
    UPDATE onboardings SET
      name = coalesce(${change.name}, name),
      config = coalesce(${change.configJson}::text::jsonb, config),
      is_default = coalesce(${change.isDefault}, is_default),
      updated_at = ${change.at}
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND onboarding_id = ${id}
    RETURNING ${columns(tx)}`);

export const deleteOnboardingRow = deleteInApp('onboardings', 'onboarding_id');

export const experimentUsing = (db: Db, scope: AppScope, onboardingId: string) =>
  firstValue(db<{ name: string }[]>`
    SELECT name FROM experiments
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND status <> 'stopped'
      AND arms @> ${JSON.stringify([{ onboardingId }])}::text::jsonb
    ORDER BY created_at LIMIT 1`);
