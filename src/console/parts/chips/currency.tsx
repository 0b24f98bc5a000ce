import { useSetting } from '../../state/address.ts';
import { currency as t } from '../../texts/currency.ts';
import { ChoiceChip } from './index.ts';

const CURRENCIES = ['USD', 'EUR', 'GBP', 'JPY', 'CAD', 'AUD', 'CHF', 'BRL', 'INR', 'CNY'];
const OWN = '';

export function useCurrency() {
  const [currency, choose] = useSetting('currency', OWN);
  const asked: { currency?: string } = currency === OWN ? {} : { currency };
  const choice = (
    <ChoiceChip
      name={t.label}
      word={t.word}
      options={[
        { value: OWN, label: t.own },
        ...CURRENCIES.map((code) => ({ value: code, label: code })),
      ]}
      value={currency}
      onChange={choose}
    />
  );
  return { asked, choice };
}
