import { type DayPack, readPack } from '../../src/modules/sales/days/pack.ts';
import type { RateTable } from '../../src/modules/sales/rates/rate-table.ts';
import type { SalesFact } from '../../src/providers/store/port.ts';
import { reportPieces } from '../../src/providers/store/report/open-report.ts';
import type { PieceReader } from '../../src/providers/store/report/table.ts';
import { AMOUNT_SCALE, type ScaledAmount } from '../../src/shared/scaled-amount.ts';

/** Everything that a reader finds in a text which comes in one piece. */
export const readWhole = <T>(reader: PieceReader<T>, text: string): T[] => [
  ...reader.push(text),
  ...reader.end(),
];

/** The text of a report as the store sent it. */
export async function textOfReport(raw: Uint8Array): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of reportPieces(raw)) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

/** A plain decimal as a pack holds it. */
export function scaledAmount(decimal: string): ScaledAmount {
  const [whole = '', digits = ''] = decimal.split('.');
  const fraction = digits.replace(/0+$/, '');
  if (fraction.length > AMOUNT_SCALE) return decimal;
  const scaled = Number(whole + fraction.padEnd(AMOUNT_SCALE, '0'));
  return Number.isSafeInteger(scaled) ? scaled + 0 : decimal;
}

/** A plain decimal of one currency in minor units of another. */
export const convertTo =
  (table: RateTable, target: string) => (amount: string, currency: string, day: string) => {
    const convert = table.converter(currency, target, day);
    return convert ? convert(scaledAmount(amount)) : null;
  };

type PackedFact = Omit<SalesFact, 'line'>;

/** Facts as columns, as PostgreSQL packs them, but for equal rows, which stay apart. */
export function packFacts(facts: readonly PackedFact[]): DayPack {
  const words = (of: (fact: PackedFact) => string[]) => [...new Set(facts.flatMap(of))].toSorted();
  const products = facts.map(({ storeId, parentStoreId, sku, parentSku, title, productType }) =>
    JSON.stringify({ storeId, parentStoreId, sku, parentSku, title, productType }),
  );
  const countries = words((fact) => [fact.country]);
  const devices = words((fact) => [fact.device]);
  const currencies = words((fact) => [fact.proceedsCurrency, fact.customerCurrency]);
  const sold = (fact: PackedFact) => (fact.bundleCredit ? 0 : Math.round(Number(fact.units) * 100));
  const pack = readPack({
    format: 1,
    products: [...new Set(products)].map((product) => JSON.parse(product)),
    countries,
    devices,
    currencies,
    product: products.map((product) => [...new Set(products)].indexOf(product)),
    country: facts.map((fact) => countries.indexOf(fact.country)),
    device: facts.map((fact) => devices.indexOf(fact.device)),
    currency: facts.map((fact) => currencies.indexOf(fact.proceedsCurrency)),
    customerCurrency: facts.map((fact) => currencies.indexOf(fact.customerCurrency)),
    proceeds: facts.map((fact) => scaledAmount(fact.proceeds)),
    customerSpend: facts.map((fact) => scaledAmount(fact.customerSpend)),
    times: facts.map(() => 1),
    sold: facts.map((fact) => Math.max(0, sold(fact))),
    refunded: facts.map((fact) => Math.max(0, -sold(fact))),
    trials: facts.map((fact) => fact.trials),
    renewed: facts.map((fact) => (fact.isRenewal === true ? Math.max(0, sold(fact)) : 0)),
    unsaid: facts.map((fact) => (fact.isRenewal === null ? Math.max(0, sold(fact)) : 0)),
  });
  if (!pack) throw new Error('The pack cannot be read again.');
  return pack;
}
