import { ROLES, type Role } from '../../../shared/permissions.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Card } from '../../parts/card.tsx';
import { Field, type Fields, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { companyCard as t } from '../../texts/company-card.ts';

type Shown = Awaited<ReturnType<typeof api.getSignInProvider>>;
type Body = Parameters<typeof api.setSignInProvider>[0]['body'];

const toRole = (word: string): Role | undefined => ROLES.find((role) => role === word);
const split = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

function toRoles(text: string): Body['roles'] {
  return split(text).map((pair) => {
    const end = pair.lastIndexOf('=');
    const role = toRole(pair.slice(end + 1).trim());
    if (!role) throw new Error(t.rolesRule);
    return { group: pair.slice(0, end).trim(), role };
  });
}

function toBody(fields: Fields, isOnlyWay: boolean): Body {
  const secret = fields.get('clientSecret');
  return {
    issuer: fields.get('issuer').trim(),
    clientId: fields.get('clientId').trim(),
    ...(secret && { clientSecret: secret }),
    domains: split(fields.get('domains').toLowerCase()),
    groupsClaim: fields.get('groupsClaim').trim(),
    roles: toRoles(fields.get('roles')),
    roleWithoutGroup: toRole(fields.get('roleWithoutGroup').trim()) ?? null,
    isOnlyWay,
  };
}

function Settings({ shown: { provider }, refetch }: { shown: Shown; refetch: () => void }) {
  return (
    <Form
      button={t.save}
      done={t.saved}
      onSubmit={async (fields) => {
        const body = toBody(fields, provider?.isOnlyWay ?? false);
        await api.setSignInProvider({ body });
        refetch();
      }}
    >
      <Field label={t.issuer} name="issuer" value={provider?.issuer ?? 'https://'} />
      <Field label={t.clientId} name="clientId" value={provider?.clientId ?? ''} />
      <Field
        label={t.clientSecret}
        name="clientSecret"
        type="password"
        autocomplete="off"
        maxLength={512}
        {...(provider && { hint: t.clientSecretKept, optional: true })}
      />
      <Field
        label={t.domains}
        name="domains"
        value={provider?.domains.join(', ') ?? ''}
        hint={t.domainsRule}
      />
      <Field
        label={t.groupsClaim}
        name="groupsClaim"
        value={provider?.groupsClaim ?? 'groups'}
        maxLength={128}
      />
      <Field
        label={t.roles}
        name="roles"
        value={provider?.roles.map(({ group, role }) => `${group}=${role}`).join(', ') ?? ''}
        hint={t.rolesRule}
        maxLength={4_096}
        optional
      />
      <Field
        label={t.roleWithoutGroup}
        name="roleWithoutGroup"
        value={provider?.roleWithoutGroup ?? ''}
        hint={t.roleWithoutGroupRule}
        optional
      />
    </Form>
  );
}

function Further({ shown: { provider }, refetch }: { shown: Shown; refetch: () => void }) {
  if (!provider) return null;
  const { updatedAt: _, ...settings } = provider;
  return (
    <>
      {provider.isOnlyWay && <p>{t.isOnlyWay}</p>}
      <div class="row">
        <ActionButton
          button={provider.isOnlyWay ? t.notOnlyWay : t.onlyWay}
          act={async () => {
            const body = { ...settings, isOnlyWay: !provider.isOnlyWay };
            await api.setSignInProvider({ body });
            refetch();
            return undefined;
          }}
        />
        <ActionButton
          button={t.off}
          act={async () => {
            await api.deleteSignInProvider();
            refetch();
            return undefined;
          }}
        />
      </div>
    </>
  );
}

export function CompanySignIn() {
  const provider = useQuery('sign-in provider', (signal) =>
    api.getSignInProvider(undefined, { signal }),
  );
  return (
    <Card title={t.card}>
      <p class="quiet">{t.why}</p>
      <Loaded query={provider}>
        {(shown) => (
          <>
            <p class="quiet">{t.register}</p>
            <p>
              <code>{shown.redirectUri}</code>
            </p>
            <p>
              <code>{shown.logoutUri}</code>
            </p>
            <Settings shown={shown} refetch={provider.refetch} />
            <Further shown={shown} refetch={provider.refetch} />
          </>
        )}
      </Loaded>
    </Card>
  );
}
