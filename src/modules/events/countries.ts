import { readFileSync } from 'node:fs';
import type { Deps } from '../../context.ts';
import { type CountryOf, openAddressTable } from '../../shared/address-table.ts';
import { ConfigError } from '../../shared/env.ts';
import { errorMessage } from '../../shared/errors.ts';
import type { BatchContext } from './model.ts';

/** Throws for a table that cannot be read. */
export function openCountries(path: string | undefined): CountryOf {
  if (path === undefined) return () => null;
  try {
    return openAddressTable(readFileSync(path));
  } catch (thrown) {
    throw new ConfigError([`COUNTRY_TABLE cannot be read: ${errorMessage(thrown)}`]);
  }
}

/** Servers send from an address of their own. */
const OF_PEOPLE = new Set<BatchContext['platform']>(['ios', 'android', 'web', 'macos']);

/** From the address, where a person's device names no country. */
export function countryOfSender(
  { countryOf }: Pick<Deps, 'countryOf'>,
  address: string,
  context: BatchContext = {},
): { country?: string } {
  if (context.country || !OF_PEOPLE.has(context.platform)) return {};
  const country = countryOf(address);
  return country === null ? {} : { country };
}
