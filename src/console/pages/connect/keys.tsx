import { when } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { Confirmed } from '../../parts/confirm.tsx';
import * as icons from '../../parts/icons.ts';
import { Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { api } from '../../state/api.ts';
import type { Query } from '../../state/query.ts';
import { whyNotEdit } from '../../state/session.ts';
import { connect as t } from '../../texts/connect.ts';

type Keys = Awaited<ReturnType<typeof api.listPublishableKeys>>;

function KeysTable({ appId, all, refetch }: { appId: string; all: Keys; refetch: () => void }) {
  const revoke = async (keyId: string) => {
    await api.revokePublishableKey({ id: appId, keyId });
    refetch();
  };
  return (
    <Table
      empty={{ icon: icons.keys, title: t.noKeys, text: t.noKeysWhy }}
      caption={t.keys}
      rows={all}
      keyOf={({ id }) => id}
      csvName={null}
      columns={[
        {
          label: t.name,
          show: ({ name }) => <strong>{name}</strong>,
          second: ({ prefix }) => <code>{prefix}…</code>,
          narrow: true,
        },
        {
          label: t.environment,
          show: ({ environment }) => t[environment ?? 'production'],
          narrow: true,
        },
        {
          label: t.created,
          show: ({ createdAt }) => when(createdAt),
          sort: ({ createdAt }) => createdAt,
        },
        {
          label: t.revoke,
          isAct: true,
          narrow: true,
          show: ({ id, name, revokedAt }) =>
            revokedAt ? (
              <span class="quiet">{t.revoked}</span>
            ) : (
              <Confirmed
                inRow
                button={t.revoke}
                title={`${t.revoke} ${name}`}
                loss={t.revokeLoss}
                name={name}
                notAllowed={whyNotEdit.value}
                onConfirm={() => revoke(id)}
              />
            ),
        },
      ]}
    />
  );
}

export function AppKeys({ appId, keys }: { appId: string; keys: Query<Keys> }) {
  return (
    <Card title={t.keys} count={keys.value.data?.length} flush>
      <Loaded query={keys}>
        {(all) => <KeysTable appId={appId} all={all} refetch={keys.refetch} />}
      </Loaded>
    </Card>
  );
}
