import type { Deps, OrgContext } from '../../../context.ts';
import { invalidInput } from '../../../shared/errors.ts';
import { pacificDay } from '../../../shared/pacific.ts';
import { hasRates } from '../rates/queries.ts';
import { DEFAULT_CURRENCY, type OrganizationSettings } from './model.ts';
import { selectCurrency, upsertCurrency } from './queries.ts';

const ALWAYS_KNOWN = new Set(['EUR', DEFAULT_CURRENCY]);

async function checkCurrency(
  { clock, rates, sql }: Pick<Deps, 'clock' | 'rates' | 'sql'>,
  currency: string,
): Promise<void> {
  if (ALWAYS_KNOWN.has(currency)) return;
  const day = pacificDay(clock());
  await rates.load(day, day);
  if (await hasRates(sql, currency)) return;
  throw invalidInput('currency', 'there are no exchange rates for it');
}

export async function currencyOfOrganization(
  { sql }: Pick<Deps, 'sql'>,
  orgId: string,
): Promise<string> {
  return (await selectCurrency(sql, orgId)) ?? DEFAULT_CURRENCY;
}

/** Throws `invalid_input` for one without exchange rates. */
export async function currencyOfAnswer(
  { deps, orgId }: OrgContext<'clock' | 'rates' | 'sql'>,
  asked: string | undefined,
): Promise<string> {
  if (asked === undefined) return currencyOfOrganization(deps, orgId);
  const currency = asked.toUpperCase();
  await checkCurrency(deps, currency);
  return currency;
}

export async function getOrganizationSettings({
  deps,
  orgId,
}: OrgContext<'sql'>): Promise<OrganizationSettings> {
  return { currency: await currencyOfOrganization(deps, orgId) };
}

/** Also for past figures. Throws `invalid_input` without exchange rates. */
export async function setOrganizationSettings(
  { deps, orgId, actor, requestId }: OrgContext<'clock' | 'log' | 'rates' | 'sql'>,
  settings: OrganizationSettings,
): Promise<OrganizationSettings> {
  const currency = settings.currency.toUpperCase();
  await checkCurrency(deps, currency);
  await upsertCurrency(deps.sql, orgId, currency, deps.clock());
  const audit = 'organization_currency_set';
  deps.log.info(
    { audit, requestId, orgId, by: actor, currency },
    'currency of an organization set',
  );
  return { currency };
}
