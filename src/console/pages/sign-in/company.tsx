import { useSignal } from '@preact/signals';
import { Field, Form } from '../../parts/form.tsx';
import { useOrganizations } from '../../state/organizations.ts';
import { session } from '../../state/session.ts';
import { company as t } from '../../texts/company.ts';
import { Switch } from './account.tsx';
import { Door } from './frame.tsx';
import { OwnOrganizations, SignOut } from './organizations.tsx';

const startOf = (organization: string) =>
  `/v1/auth/oidc/start?${new URLSearchParams({ organization })}`;

function readRefusal(): string | null {
  const reason = new URLSearchParams(location.hash.slice(1)).get('refused');
  const known = Object.entries(t.refused).find(([name]) => name === reason);
  return known ? known[1] : null;
}

/** Why the company's sign-in led back. */
export function Refused() {
  const text = readRefusal();
  if (text === null) return null;
  return (
    <p class="notice" role="status">
      {text}
    </p>
  );
}

export function WithCompany() {
  const isAsked = useSignal(false);
  if (!isAsked.value) {
    return (
      <Switch
        onClick={() => {
          isAsked.value = true;
        }}
      >
        {t.signIn}
      </Switch>
    );
  }
  return (
    <Form
      button={t.go}
      keep
      onSubmit={async (fields) => {
        location.assign(startOf(fields.get('organization').trim().toLowerCase()));
      }}
    >
      <Field label={t.shortName} name="organization" autocomplete="organization" maxLength={48} />
    </Form>
  );
}

export function NeedsCompany() {
  const own = useOrganizations().value.data?.find(
    ({ id }) => id === session.value?.activeOrganizationId,
  );
  return (
    <Door title={t.needed}>
      <p>{t.neededWhy}</p>
      {own && (
        <p>
          <a class="button primary" href={startOf(own.slug)}>
            {t.signIn}
          </a>
        </p>
      )}
      <OwnOrganizations />
      <SignOut />
    </Door>
  );
}
