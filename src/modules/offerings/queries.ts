import type { AppScope } from '../../shared/app.ts';
import { parser } from '../../shared/schema.ts';
import type { Db, Tx } from '../../storage/postgres.ts';
import { Offering, type Offerings } from './model.ts';

const offering = parser(Offering, 'purchase_offerings row');

type Row = { identifier: string; offering: unknown; isDefault: boolean; flag: string | null };

export async function selectOfferings(db: Db, { orgId, appId }: AppScope): Promise<Offerings> {
  const rows = await db<Row[]>`
    SELECT identifier, offering, is_default AS "isDefault", chosen_by AS flag
    FROM purchase_offerings WHERE org_id = ${orgId} AND app_id = ${appId} ORDER BY place`;
  return {
    offerings: rows.map((row) => offering.parse(row.offering)),
    defaultOffering: rows.find(({ isDefault }) => isDefault)?.identifier ?? null,
    flag: rows[0]?.flag ?? null,
  };
}

export async function replaceOfferings(
  tx: Tx,
  { orgId, appId }: AppScope,
  { offerings, defaultOffering, flag }: Offerings,
  at: Date,
): Promise<void> {
  await tx`DELETE FROM purchase_offerings WHERE org_id = ${orgId} AND app_id = ${appId}`;
  for (const [place, one] of offerings.entries()) {
    const { identifier } = one;
    await tx`
      INSERT INTO purchase_offerings (org_id, app_id, identifier, place, offering, is_default,
        chosen_by, updated_at)
      VALUES (${orgId}, ${appId}, ${identifier}, ${place}, ${JSON.stringify(one)}::text::jsonb,
        ${identifier === defaultOffering}, ${flag}, ${at})`;
  }
}
