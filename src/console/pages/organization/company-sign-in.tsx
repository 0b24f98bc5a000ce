import { ROLES, type Role } from '../../../shared/permissions.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Field, type Fields } from '../../parts/form.tsx';
import { SettingCard } from '../../parts/setting-card.tsx';
import { api } from '../../state/api.ts';
import { useApi } from '../../state/use-api.ts';
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

function Settings({ provider }: Shown) {
  const { issuer = 'https://', clientId = '', domains = [], roles = [] } = provider ?? {};
  const { groupsClaim = 'groups', roleWithoutGroup = null } = provider ?? {};
  const pairs = roles.map(({ group, role }) => `${group}=${role}`).join(', ');
  const kept = provider && { hint: t.clientSecretKept, optional: true };
  const last = { value: roleWithoutGroup ?? '', hint: t.roleWithoutGroupRule, optional: true };
  return (
    <>
      <Field label={t.issuer} name="issuer" value={issuer} />
      <Field label={t.clientId} name="clientId" value={clientId} />
      <Field label={t.clientSecret} name="clientSecret" type="password" maxLength={512} {...kept} />
      <Field label={t.domains} name="domains" value={domains.join(', ')} hint={t.domainsRule} />
      <Field label={t.groupsClaim} name="groupsClaim" value={groupsClaim} maxLength={128} />
      <Field
        label={t.roles}
        name="roles"
        value={pairs}
        hint={t.rolesRule}
        maxLength={4_096}
        optional
      />
      <Field label={t.roleWithoutGroup} name="roleWithoutGroup" {...last} />
    </>
  );
}

function Further({ provider }: Shown) {
  if (!provider) return null;
  const { updatedAt: _, ...settings } = provider;
  const body = { ...settings, isOnlyWay: !provider.isOnlyWay };
  return (
    <>
      {provider.isOnlyWay && <p>{t.isOnlyWay}</p>}
      <div class="row">
        <ActionButton
          button={provider.isOnlyWay ? t.notOnlyWay : t.onlyWay}
          act={() => api.setSignInProvider({ body })}
        />
        <ActionButton button={t.off} act={() => api.deleteSignInProvider()} />
      </div>
    </>
  );
}

export function CompanySignIn() {
  const provider = useApi(api.getSignInProvider);
  return (
    <SettingCard
      title={t.card}
      why={t.why}
      query={provider}
      above={(shown) => (
        <>
          <p class="quiet">{t.register}</p>
          <p>
            <code>{shown.redirectUri}</code>
          </p>
          <p>
            <code>{shown.logoutUri}</code>
          </p>
        </>
      )}
      below={(shown) => <Further {...shown} />}
      save={(fields, shown) =>
        api.setSignInProvider({ body: toBody(fields, shown.provider?.isOnlyWay ?? false) })
      }
    >
      {(shown) => <Settings {...shown} />}
    </SettingCard>
  );
}
