import { useSignal } from '@preact/signals';
import { when } from '../../format.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import * as icons from '../../parts/icons.ts';
import { Page } from '../../parts/page.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { useAddress, useSetting } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { type Query, useQuery } from '../../state/query.ts';
import { mayManage, whyNotManage } from '../../state/session.ts';
import { webhooks as t } from '../../texts/webhooks.ts';
import { Deliveries, useDeliveries } from './deliveries.tsx';
import { toldOf, type Webhook } from './events.ts';
import { LastDays } from './last-days.tsx';
import { Settings, Wish, wishOf } from './settings.tsx';

function All({ all }: { all: readonly Webhook[] }) {
  return (
    <Card title={t.title} count={all.length} flush>
      <Table
        empty={{ icon: icons.webhooks, title: t.empty, text: t.emptyText }}
        caption={t.title}
        rows={all}
        keyOf={({ id }) => id}
        csvName={null}
        rowHref={({ id }) => `/webhooks?id=${id}`}
        columns={[
          { label: t.address, show: ({ url }) => url },
          { label: t.events, show: ({ events }) => toldOf(events) },
          {
            label: t.state,
            show: ({ disabledAt }) => (
              <span class={disabledAt ? 'chip warn' : 'chip good'}>
                {disabledAt ? t.off : t.on}
              </span>
            ),
          },
          { label: t.created, show: ({ createdAt }) => when(createdAt) },
        ]}
      />
    </Card>
  );
}

function One(props: { webhook: Webhook; refetch: () => void; close: () => void }) {
  const { webhook, refetch } = props;
  const newest = useDeliveries(webhook.id, '');
  return (
    <>
      <p class="row">
        <a href="/webhooks">{t.back}</a>
        <strong>{webhook.url}</strong>
      </p>
      <LastDays webhookId={webhook.id} />
      <Settings
        webhook={webhook}
        refetch={() => [refetch(), newest.refetch()]}
        gone={() => {
          refetch();
          props.close();
        }}
      />
      <Deliveries webhookId={webhook.id} />
    </>
  );
}

function Managed({ webhooks }: { webhooks: Query<readonly Webhook[]> }) {
  const { query, change } = useAddress();
  const secret = useSignal<string | null>(null);
  const create = async (fields: Parameters<typeof wishOf>[0]) => {
    const made = await api.createWebhook({ body: wishOf(fields) });
    secret.value = made.secret;
    webhooks.refetch();
    change({ add: undefined, id: made.webhook.id });
  };
  const close = () => change({ add: undefined });
  return (
    <>
      <ShownOnce why={t.secret} text={secret.value} />
      <Loaded query={webhooks}>
        {(all) => {
          const webhook = all.find((one) => one.id === query.id);
          if (!webhook) return <All all={all} />;
          return (
            <One
              webhook={webhook}
              refetch={webhooks.refetch}
              close={() => change({ id: undefined })}
            />
          );
        }}
      </Loaded>
      <Dialog title={t.create} isOpen={query.add === 'webhook'} onClose={close} isWide>
        <Form button={t.createButton} keep onSubmit={create} onCancel={close}>
          <Wish />
        </Form>
      </Dialog>
    </>
  );
}

export function Webhooks() {
  const [, setAdding] = useSetting('add', '');
  const webhooks = useQuery('webhooks', (signal) => api.listWebhooks(undefined, { signal }), {
    enabled: mayManage.value,
  });
  return (
    <Page
      title={t.title}
      question={t.question}
      help="webhooks"
      notAllowed={whyNotManage.value}
      actions={
        <Button
          kind="primary"
          icon={icons.add}
          onClick={() => setAdding('webhook')}
          disabledWhy={whyNotManage.value}
        >
          {t.create}
        </Button>
      }
    >
      <Managed webhooks={webhooks} />
    </Page>
  );
}
