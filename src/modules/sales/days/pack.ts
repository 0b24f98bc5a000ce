import { type Static, Type } from '@sinclair/typebox';
import { Nullable, parser } from '../../../shared/schema.ts';

/** Goes up with the meaning of a pack. */
export const PACK_FORMAT = 1;

const Column = Type.Array(Type.Integer());
/** Ten-thousandths where those are exact, else the plain decimal. */
const AmountColumn = Type.Array(Type.Union([Type.Integer(), Type.String()]));

/**
 * The rows of one report as columns of numbers. Products, countries, devices and currencies are
 * dictionaries; rows that differ in units alone are one row, `times` as often.
 */
const DayPackSchema = Type.Object({
  format: Type.Literal(PACK_FORMAT),
  products: Type.Array(
    Type.Object({
      storeId: Type.String(),
      parentStoreId: Nullable(Type.String()),
      sku: Type.String(),
      parentSku: Nullable(Type.String()),
      title: Type.String(),
      productType: Type.String(),
    }),
  ),
  countries: Type.Array(Type.String()),
  devices: Type.Array(Type.String()),
  currencies: Type.Array(Type.String()),
  product: Column,
  country: Column,
  device: Column,
  currency: Column,
  customerCurrency: Column,
  proceeds: AmountColumn,
  customerSpend: AmountColumn,
  times: Column,
  /** Hundredths of units. */
  sold: Column,
  refunded: Column,
  trials: Column,
  /** Of what was sold: renewals, and what the report does not say it of. */
  renewed: Column,
  unsaid: Column,
});
export type DayPack = Static<typeof DayPackSchema>;
export type PackedProduct = DayPack['products'][number];

const dayPack = parser(DayPackSchema, 'analytics pack');

/** The pack, or null for one of another format. */
export function readPack(value: unknown): DayPack | null {
  return dayPack.check(value) ? value : null;
}
