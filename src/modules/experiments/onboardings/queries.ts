import type { AppScope } from '../../../shared/app.ts';
import { lockSubject } from '../../../storage/locks.ts';
import { type Db, type Tx, done, firstValue } from '../../../storage/postgres.ts';
import { savedRows } from '../../../storage/saved-rows.ts';
import { Onboarding } from './model.ts';

export const onboardingRows = savedRows(Onboarding, {
  table: 'onboardings',
  key: 'onboarding_id',
  plain: ['name', 'isDefault'],
  json: ['config'],
});
export const { all: selectOnboardings, exists: onboardingExists } = onboardingRows;

/** Serializes changes of an app, so that limits and the one default hold. */
export function lockOnboardings(tx: Tx, { appId }: AppScope): Promise<void> {
  return lockSubject(tx, 'onboardings', appId);
}

export const clearDefault = (tx: Tx, scope: AppScope, at: Date) =>
  done(tx`
    UPDATE onboardings SET is_default = false, updated_at = ${at}
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND is_default`);

export const experimentUsing = (db: Db, scope: AppScope, onboardingId: string) =>
  firstValue(db<{ name: string }[]>`
    SELECT name FROM experiments
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND status <> 'stopped'
      AND arms @> ${JSON.stringify([{ onboardingId }])}::text::jsonb
    ORDER BY created_at LIMIT 1`);
