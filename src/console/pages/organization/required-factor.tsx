import { ActionButton } from '../../parts/action-button.tsx';
import { Card } from '../../parts/card.tsx';
import { Loaded } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { mayOwn } from '../../state/session.ts';
import { organization } from '../../texts/organization.ts';
import { secondFactor as t } from '../../texts/second-factor.ts';

export function RequiredFactor() {
  const security = useQuery('organization security', (signal) =>
    api.getOrganizationSecurity(undefined, { signal }),
  );
  return (
    <Card title={t.required}>
      <p class="quiet">{t.requiredWhy}</p>
      <Loaded query={security}>
        {({ secondFactorRequired: isRequired }) => (
          <>
            <p>{isRequired ? t.isRequired : t.isNotRequired}</p>
            <div class="row">
              <ActionButton
                button={isRequired ? t.stop : t.require}
                notAllowed={!mayOwn.value && organization.ownersOnly}
                act={async () => {
                  const body = { secondFactorRequired: !isRequired };
                  await api.setOrganizationSecurity({ body });
                  security.refetch();
                  return undefined;
                }}
              />
            </div>
          </>
        )}
      </Loaded>
    </Card>
  );
}
