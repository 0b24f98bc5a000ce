import { type Static, Type } from '@sinclair/typebox';
import { Nullable, parser } from '../../../shared/schema.ts';

/** Increment with any change of a pack's meaning. */
export const PACK_FORMAT = 1;

const Column = Type.Array(Type.Integer());
const AmountColumn = Type.Array(Type.Union([Type.Integer(), Type.String()]));

/** Columns with dictionaries; rows that differ in units only are merged, `times` counts them. */
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
  /** Renewals in `sold`, and units without the flag. */
  renewed: Column,
  unsaid: Column,
});
export type DayPack = Static<typeof DayPackSchema>;
export type PackedProduct = DayPack['products'][number];

const dayPack = parser(DayPackSchema, 'analytics pack');

export function readPack(value: unknown): DayPack | null {
  return dayPack.check(value) ? value : null;
}
