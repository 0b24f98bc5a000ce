/**
 * One row of a report in our words. Amounts are exact decimals as strings; `proceeds` and
 * `customerSpend` are for all units of the row, with the sign of the units.
 */
export type SalesFact = {
  line: number;
  /** The store's id of what was sold: the app's, or the in-app purchase's own. */
  storeId: string;
  /** The app's id where the report names it beside the product, else null. */
  parentStoreId: string | null;
  sku: string;
  /** The app's SKU on rows of in-app purchases, else null. */
  parentSku: string | null;
  title: string;
  productType: string;
  country: string;
  device: string;
  units: string;
  bundleCredit: boolean;
  trials: number;
  proceeds: string;
  proceedsCurrency: string;
  customerSpend: string;
  customerCurrency: string;
};
