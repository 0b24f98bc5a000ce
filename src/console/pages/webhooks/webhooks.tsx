import { useSignal } from '@preact/signals';
import { when } from '../../format.ts';
import { Form } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { useSetting } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { mayManage } from '../../state/session.ts';
import { texts } from '../../texts/index.ts';
import { webhooks as t } from '../../texts/webhooks.ts';
import { Deliveries, useDeliveries } from './deliveries.tsx';
import type { Webhook } from './events.ts';
import { Settings, Wish, wishOf } from './settings.tsx';

function All({ all }: { all: readonly Webhook[] }) {
  if (all.length === 0) return <p>{t.empty}</p>;
  return (
    <Table
      caption={t.title}
      rows={all}
      keyOf={({ id }) => id}
      csvName="webhooks"
      columns={[
        {
          label: t.address,
          show: ({ id, url }) => <a href={`/webhooks?id=${id}`}>{url}</a>,
          plain: ({ url }) => url,
        },
        {
          label: t.events,
          show: ({ events }) => events.join(', '),
          plain: ({ events }) => events.join(' '),
        },
        {
          label: t.state,
          show: ({ disabledAt }) => (
            <strong class={disabledAt ? 'warning' : 'good'}>{disabledAt ? t.off : t.on}</strong>
          ),
          plain: ({ disabledAt }) => (disabledAt ? t.off : t.on),
        },
        {
          label: t.created,
          show: ({ createdAt }) => when(createdAt),
          plain: ({ createdAt }) => createdAt,
        },
      ]}
    />
  );
}

function One(props: { webhook: Webhook; refetch: () => void; close: () => void }) {
  const { webhook, refetch } = props;
  const newest = useDeliveries(webhook.id, '');
  return (
    <>
      <p>
        <a href="/webhooks">{t.back}</a>
      </p>
      <h2>{webhook.url}</h2>
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

function Managed() {
  const [id, choose] = useSetting('id', '');
  const secret = useSignal<string | null>(null);
  const webhooks = useQuery('webhooks', (signal) => api.listWebhooks(undefined, { signal }));
  const create = async (fields: Parameters<typeof wishOf>[0]) => {
    const made = await api.createWebhook({ body: wishOf(fields) });
    secret.value = made.secret;
    webhooks.refetch();
    choose(made.webhook.id);
  };
  return (
    <>
      <ShownOnce why={t.secret} text={secret.value} />
      <Loaded query={webhooks}>
        {(all) => {
          const webhook = all.find((one) => one.id === id);
          if (webhook) {
            return <One webhook={webhook} refetch={webhooks.refetch} close={() => choose('')} />;
          }
          return (
            <>
              <All all={all} />
              <h2>{t.create}</h2>
              <Form button={t.createButton} onSubmit={create}>
                <Wish />
              </Form>
            </>
          );
        }}
      </Loaded>
    </>
  );
}

export function Webhooks() {
  return (
    <Page title={t.title} question={t.question} help="webhooks">
      {mayManage.value ? <Managed /> : <p class="notice">{texts.errors.managersOnly}</p>}
    </Page>
  );
}
