import { Card } from '../../parts/card.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { whyNotManage } from '../../state/session.ts';
import { currency as currencyTexts } from '../../texts/currency.ts';
import { organization as t } from '../../texts/organization.ts';

export function OwnCurrency() {
  const settings = useQuery('organization settings', (signal) =>
    api.getOrganizationSettings(undefined, { signal }),
  );
  return (
    <Card title={currencyTexts.label}>
      <p class="quiet">{currencyTexts.why}</p>
      <Loaded query={settings}>
        {({ currency }) => (
          <Form
            button={t.save}
            done={t.saved}
            notAllowed={whyNotManage.value}
            onSubmit={async (fields) => {
              const body = { currency: fields.get('currency').trim() };
              await api.setOrganizationSettings({ body });
              settings.refetch();
            }}
          >
            <Field label={currencyTexts.label} name="currency" value={currency} maxLength={3} />
          </Form>
        )}
      </Loaded>
    </Card>
  );
}
