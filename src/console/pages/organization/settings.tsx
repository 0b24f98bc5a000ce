import { ActionButton } from '../../parts/action-button.tsx';
import { Card } from '../../parts/card.tsx';
import { Field } from '../../parts/form.tsx';
import { SettingCard } from '../../parts/setting-card.tsx';
import { Loaded } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { mayOwn, whyNotManage } from '../../state/session.ts';
import { useApi } from '../../state/use-api.ts';
import { currency as currencyTexts } from '../../texts/currency.ts';
import { organization as t } from '../../texts/organization.ts';
import { secondFactor } from '../../texts/second-factor.ts';

export const AuditKept = () => (
  <SettingCard
    title={t.auditKept}
    why={t.auditWhy}
    query={useApi(api.getAuditSettings)}
    save={(fields) => api.setAuditSettings({ body: { keptDays: Number(fields.get('days')) } })}
  >
    {({ keptDays: value }) => (
      <Field label={t.auditDays} name="days" type="number" value={`${value}`} min={30} max={3650} />
    )}
  </SettingCard>
);

export const OwnCurrency = () => (
  <SettingCard
    title={currencyTexts.label}
    why={currencyTexts.why}
    query={useApi(api.getOrganizationSettings)}
    notAllowed={whyNotManage.value}
    save={(fields) =>
      api.setOrganizationSettings({ body: { currency: fields.get('currency').trim() } })
    }
  >
    {({ currency }) => (
      <Field label={currencyTexts.label} name="currency" value={currency} rule="currency" />
    )}
  </SettingCard>
);

export function RequiredFactor() {
  const security = useApi(api.getOrganizationSecurity);
  return (
    <Card title={secondFactor.required}>
      <p class="quiet">{secondFactor.requiredWhy}</p>
      <Loaded query={security}>
        {({ secondFactorRequired: isRequired }) => (
          <>
            <p>{isRequired ? secondFactor.isRequired : secondFactor.isNotRequired}</p>
            <div class="row">
              <ActionButton
                button={isRequired ? secondFactor.stop : secondFactor.require}
                notAllowed={!mayOwn.value && t.ownersOnly}
                act={() =>
                  api.setOrganizationSecurity({ body: { secondFactorRequired: !isRequired } })
                }
              />
            </div>
          </>
        )}
      </Loaded>
    </Card>
  );
}
