import type { AppContext } from '../../context.ts';
import type { AppScope } from '../../shared/app.ts';
import { invalidInput } from '../../shared/errors.ts';
import { isRefusedByJsonb } from '../../shared/well-formed-json.ts';
import type { Tx } from '../../storage/postgres.ts';
import { lockApp } from '../../storage/rows-of-app.ts';
import { selectFlagType } from '../flags/index.ts';
import { selectKnownProducts } from '../purchases/index.ts';
import { MAX_METADATA_BYTES, type Offerings, type OfferingsInput } from './model.ts';
import { replaceOfferings, selectOfferings } from './queries.ts';

export const getOfferings = ({ deps, scope }: AppContext<'sql'>): Promise<Offerings> =>
  selectOfferings(deps.sql, scope);

function checkUnique(place: string, items: readonly { identifier: string }[]): void {
  const seen = new Set<string>();
  for (const [index, { identifier }] of items.entries()) {
    if (seen.has(identifier)) {
      throw invalidInput(`${place}[${index}].identifier`, 'must be another than those before');
    }
    seen.add(identifier);
  }
}

function checkMetadata(place: string, { metadata }: { metadata?: unknown }): void {
  if (metadata === undefined) return;
  if (isRefusedByJsonb(metadata)) {
    throw invalidInput(`${place}.metadata`, 'must not hold NUL or lone surrogates');
  }
  if (Buffer.byteLength(JSON.stringify(metadata)) <= MAX_METADATA_BYTES) return;
  throw invalidInput(`${place}.metadata`, `must have at most ${MAX_METADATA_BYTES} bytes as JSON`);
}

function checkForm({ offerings, defaultOffering, flag }: OfferingsInput): void {
  checkUnique('offerings', offerings);
  for (const [index, offering] of offerings.entries()) {
    const place = `offerings[${index}]`;
    checkMetadata(place, offering);
    checkUnique(`${place}.packages`, offering.packages);
    for (const [at, one] of offering.packages.entries()) {
      checkMetadata(`${place}.packages[${at}]`, one);
    }
  }
  const identifiers = offerings.map(({ identifier }) => identifier);
  if (
    identifiers.length === 0
      ? defaultOffering !== null
      : !identifiers.includes(defaultOffering ?? '')
  ) {
    throw invalidInput('defaultOffering', 'must be the identifier of one of the offerings');
  }
  if (flag !== null && identifiers.length === 0) {
    throw invalidInput('flag', 'goes with offerings to choose from');
  }
}

const productsOf = ({ offerings }: Offerings): string[] =>
  offerings.flatMap(({ packages }) => packages.flatMap(({ productIds }) => productIds));

async function checkProducts(tx: Tx, scope: AppScope, wanted: OfferingsInput): Promise<void> {
  const { products } = await selectKnownProducts(tx, scope);
  const kept = productsOf(await selectOfferings(tx, scope));
  const known = new Set([...products.map(({ id }) => id), ...kept]);
  for (const [index, { packages }] of wanted.offerings.entries()) {
    for (const [at, { productIds }] of packages.entries()) {
      const place = productIds.findIndex((id) => !known.has(id));
      if (place === -1) continue;
      throw invalidInput(
        `offerings[${index}].packages[${at}].productIds[${place}]`,
        `must be a product of the app: ${productIds[place]} is not known`,
      );
    }
  }
}

async function checkFlag(tx: Tx, scope: AppScope, key: string | null): Promise<void> {
  if (key === null || (await selectFlagType(tx, scope, key)) === 'string') return;
  throw invalidInput('flag', 'must be the key of a flag of this app whose values are text');
}

/** In place of all before. Throws `invalid_input`. */
export async function setOfferings(
  { deps, app, scope }: AppContext<'clock' | 'offerings' | 'sql'>,
  input: OfferingsInput,
): Promise<Offerings> {
  const at = deps.clock();
  checkForm(input);
  await deps.sql.begin(async (tx) => {
    await lockApp(tx, scope);
    await checkProducts(tx, scope, input);
    await checkFlag(tx, scope, input.flag);
    await replaceOfferings(tx, scope, input, at);
  });
  deps.offerings.forget(app.id);
  return input;
}
