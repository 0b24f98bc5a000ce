import { useSignal } from '@preact/signals';
import { ago, when } from '../../format.ts';
import { Confirmed } from '../../parts/confirm.tsx';
import { Checks, Field, type Fields, Form } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { mayManage } from '../../state/session.ts';
import { texts } from '../../texts/index.ts';
import { keys as t } from '../../texts/keys.ts';

const PERMISSIONS = [
  'analytics:read',
  'analytics:sync',
  'integration:manage',
  'app:read',
  'app:update',
  'app:delete',
] as const;

function useKeys() {
  return useQuery('organization keys', (signal) => api.listOrganizationKeys(undefined, { signal }));
}

function NewKey({ onMade }: { onMade: () => void }) {
  const secret = useSignal<string | null>(null);
  const create = async (fields: Fields) => {
    const chosen = fields.all('permissions');
    const permissions = PERMISSIONS.filter((permission) => chosen.includes(permission));
    const made = await api.createOrganizationKey({
      body: { name: fields.get('name'), permissions },
    });
    secret.value = made.secret;
    onMade();
  };
  return (
    <>
      <h2>{t.create}</h2>
      <Form button={t.create} onSubmit={create}>
        <Field label={t.name} name="name" autocomplete="off" />
        <Checks
          label={t.permissions}
          name="permissions"
          options={PERMISSIONS.map((permission) => [permission, permission] as const)}
          value={PERMISSIONS.filter((permission) => permission.endsWith(':read'))}
        />
      </Form>
      <ShownOnce why={t.once} text={secret.value} />
    </>
  );
}

function AllKeys({ keys }: { keys: ReturnType<typeof useKeys> }) {
  const revoke = async (keyId: string) => {
    await api.revokeOrganizationKey({ keyId });
    keys.refetch();
  };
  return (
    <Loaded query={keys}>
      {(all) => (
        <Table
          caption={t.title}
          rows={all}
          keyOf={({ id }) => id}
          columns={[
            { label: t.name, show: ({ name }) => name },
            { label: t.prefix, show: ({ prefix }) => <code>{prefix}…</code> },
            { label: t.permissions, show: ({ permissions }) => permissions.join(', ') },
            { label: t.used, show: ({ lastUsedAt }) => (lastUsedAt ? ago(lastUsedAt) : t.never) },
            {
              label: t.revoke,
              show: ({ id, name, revokedAt }) =>
                revokedAt ? (
                  <span class="quiet">{`${t.revoked} ${when(revokedAt)}`}</span>
                ) : (
                  <Confirmed
                    button={t.revoke}
                    title={`${t.revoke} ${name}`}
                    loss={t.revokeLoss}
                    name={name}
                    onConfirm={() => revoke(id)}
                  />
                ),
            },
          ]}
        />
      )}
    </Loaded>
  );
}

/** Keys of the organization: made, shown once, revoked. */
function Managed() {
  const keys = useKeys();
  return (
    <>
      <AllKeys keys={keys} />
      <NewKey onMade={keys.refetch} />
    </>
  );
}

export function Keys() {
  return (
    <Page title={t.title} question={t.question} help="identity">
      <p>{t.why}</p>
      {mayManage.value ? <Managed /> : <p class="notice">{texts.errors.managersOnly}</p>}
    </Page>
  );
}
