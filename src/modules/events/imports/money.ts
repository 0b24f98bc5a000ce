const AMOUNTS = new Map([
  ['$revenue', 'revenue'],
  ['$price', 'price'],
  ['$amount', 'amount'],
  ['$quantity', 'quantity'],
  ['$ae_iap_price', 'price'],
  ['$ae_iap_quantity', 'quantity'],
]);
const TEXTS = new Map([
  ['$currency', 'currency'],
  ['$productId', 'product_id'],
  ['$revenueType', 'revenue_type'],
  ['$ae_iap_name', 'product_id'],
]);
const DOLLAR = 36;
const NUMBER = /^-?\d{1,15}(\.\d+)?$/;

type Fields = Record<string, unknown>;

const toAmount = (value: unknown): unknown =>
  typeof value === 'string' && NUMBER.test(value) ? Number(value) : value;

/** The app's own names win. */
export function withMoney(props: Fields): Fields {
  let money: Fields | undefined;
  for (const name in props) {
    if (name.charCodeAt(0) !== DOLLAR) continue;
    const amount = AMOUNTS.get(name);
    const readable = amount ?? TEXTS.get(name);
    if (readable === undefined) continue;
    money = { ...money, [readable]: amount ? toAmount(props[name]) : props[name] };
  }
  return money ? { ...money, ...props } : props;
}
