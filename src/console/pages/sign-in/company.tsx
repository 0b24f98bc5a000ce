import { useSignal } from '@preact/signals';
import { ActionButton } from '../../parts/action-button.tsx';
import { Form } from '../../parts/form.tsx';
import { useActiveOrganization } from '../../state/organizations.ts';
import { session } from '../../state/session.ts';
import { turn } from '../../state/signals.ts';
import { company as t } from '../../texts/company.ts';
import { joinCompany, Refused, ShortName } from '../account/company.tsx';
import { Switch } from './account.tsx';
import { Door } from './frame.tsx';
import { OwnOrganizations, SignOut } from './organizations.tsx';

const startOf = (organization: string) =>
  `/v1/auth/oidc/start?${new URLSearchParams({ organization })}`;

export function WithCompany() {
  const isAsked = useSignal(false);
  if (!isAsked.value) {
    return <Switch onClick={turn(isAsked, true)}>{t.signIn}</Switch>;
  }
  return (
    <Form
      button={t.go}
      keep
      onSubmit={async (fields) => {
        location.assign(startOf(fields.get('organization').trim().toLowerCase()));
      }}
    >
      <ShortName />
    </Form>
  );
}

export function NeedsCompany() {
  const own = useActiveOrganization();
  return (
    <Door title={t.needed}>
      <Refused />
      <p>{t.neededWhy}</p>
      {own && session.value?.byCompany && (
        <p>
          <a class="button primary" href={startOf(own.slug)}>
            {t.signIn}
          </a>
        </p>
      )}
      {own && !session.value?.byCompany && (
        <ActionButton kind="primary" button={t.signIn} act={() => joinCompany(own.slug)} />
      )}
      <OwnOrganizations />
      <SignOut />
    </Door>
  );
}
