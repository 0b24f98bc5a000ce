import { ago, when } from '../../format.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Confirmed } from '../../parts/confirm.tsx';
import * as icons from '../../parts/icons.ts';
import { Page } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { useSetting } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { mayManage, whyNotManage } from '../../state/session.ts';
import { keys as t } from '../../texts/keys.ts';
import { NewKeyDialog, SCOPES } from './new-key.tsx';

type Key = Awaited<ReturnType<typeof api.listOrganizationKeys>>[number];

const scopesOf = ({ permissions }: Key): string[] =>
  SCOPES.filter((scope) => permissions.includes(scope)).map((scope) => t.scopes[scope]);

function Scopes({ of }: { of: Key }) {
  return (
    <ul class="lines">
      {scopesOf(of).map((scope) => (
        <li key={scope}>{scope}</li>
      ))}
    </ul>
  );
}

function KeysTable({ all, refetch }: { all: readonly Key[]; refetch: () => void }) {
  const revoke = async (keyId: string) => {
    await api.revokeOrganizationKey({ keyId });
    refetch();
  };
  return (
    <Table
      empty={{ icon: icons.keys, title: t.empty, text: t.emptyText }}
      caption={t.title}
      rows={all}
      keyOf={({ id }) => id}
      csvName={null}
      columns={[
        {
          label: t.name,
          show: ({ name }) => <strong>{name}</strong>,
          sort: ({ name }) => name,
          second: ({ prefix }) => <code>{prefix}…</code>,
          narrow: true,
        },
        { label: t.permissions, show: (key) => <Scopes of={key} /> },
        {
          label: t.used,
          show: ({ lastUsedAt }) => (lastUsedAt ? ago(lastUsedAt) : t.never),
          sort: ({ lastUsedAt }) => lastUsedAt,
          narrow: true,
        },
        {
          label: t.revoke,
          isAct: true,
          narrow: true,
          show: ({ id, name, revokedAt }) =>
            revokedAt ? (
              <span class="quiet">{t.revoked(when(revokedAt))}</span>
            ) : (
              <Confirmed
                inRow
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
  );
}

export function Keys() {
  const [adding, setAdding] = useSetting('add', '');
  const keys = useQuery(
    'organization keys',
    (signal) => api.listOrganizationKeys(undefined, { signal }),
    { enabled: mayManage.value },
  );
  const add = () => setAdding('key');
  return (
    <Page
      title={t.title}
      question={t.question}
      help="identity"
      notAllowed={whyNotManage.value}
      actions={
        <Button kind="primary" icon={icons.add} onClick={add} disabledWhy={whyNotManage.value}>
          {t.create}
        </Button>
      }
      foot={[t.why]}
    >
      <Card title={t.title} count={keys.value.data?.length} flush>
        <Loaded query={keys}>{(all) => <KeysTable all={all} refetch={keys.refetch} />}</Loaded>
      </Card>
      <NewKeyDialog isOpen={adding === 'key'} onClose={() => setAdding('')} onMade={keys.refetch} />
    </Page>
  );
}
