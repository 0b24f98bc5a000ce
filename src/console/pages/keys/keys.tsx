import { ago } from '../../format.ts';
import { FormDialog, useAdding } from '../../parts/form-dialog.tsx';
import { Checks, Field, type Fields } from '../../parts/form.tsx';
import * as icons from '../../parts/icons.ts';
import { keyName, revokeColumn } from '../../parts/key-columns.tsx';
import { ListCard } from '../../parts/list-card.tsx';
import { Page } from '../../parts/page.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { api } from '../../state/api.ts';
import { mayManage, whyNotManage } from '../../state/session.ts';
import { useApi } from '../../state/use-api.ts';
import { keys as t } from '../../texts/keys.ts';

const SCOPES = [
  'app:read',
  'analytics:read',
  'analytics:sync',
  'app:update',
  'integration:manage',
  'app:delete',
  'sql:ask',
] as const;
const READING = SCOPES.filter((scope) => scope.endsWith(':read'));

type Key = Awaited<ReturnType<typeof api.listOrganizationKeys>>[number];

const Scopes = ({ of: { permissions } }: { of: Key }) => (
  <ul class="lines">
    {SCOPES.filter((scope) => permissions.includes(scope)).map((scope) => (
      <li key={scope}>{t.scopes[scope]}</li>
    ))}
  </ul>
);

function NewKey() {
  const create = async (fields: Fields) => {
    const chosen = fields.all('permissions');
    const permissions = SCOPES.filter((scope) => chosen.includes(scope));
    const body = { name: fields.get('name').trim(), permissions };
    const { secret } = await api.createOrganizationKey({ body });
    return secret;
  };
  return (
    <FormDialog
      button={t.create}
      submit={t.createButton}
      opening={useAdding('key')}
      notAllowed={whyNotManage.value}
      send={create}
      made={(secret) => <ShownOnce why={t.once} text={secret} />}
    >
      <Field label={t.name} name="name" hint={t.nameHint} maxLength={80} />
      <Checks
        label={t.permissions}
        name="permissions"
        options={SCOPES.map((scope) => [scope, t.scopes[scope]] as const)}
        value={READING}
      />
    </FormDialog>
  );
}

export function Keys() {
  const keys = useApi(api.listOrganizationKeys, {}, { enabled: mayManage.value });
  const revoke = (keyId: string) => api.revokeOrganizationKey({ keyId });
  return (
    <Page
      question={t.question}
      help="identity"
      notAllowed={whyNotManage.value}
      actions={<NewKey />}
      foot={[t.why]}
    >
      <ListCard
        title={t.title}
        query={keys}
        empty={{ icon: icons.keys, title: t.empty, text: t.emptyText }}
        keyOf={({ id }) => id}
        columns={[
          keyName,
          { label: t.permissions, show: (key) => <Scopes of={key} /> },
          {
            label: t.used,
            show: ({ lastUsedAt }) => (lastUsedAt ? ago(lastUsedAt) : t.never),
            sort: ({ lastUsedAt }) => lastUsedAt,
            narrow: true,
          },
          revokeColumn(revoke),
        ]}
      />
    </Page>
  );
}
