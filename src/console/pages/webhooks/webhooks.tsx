import { useSignal } from '@preact/signals';
import { FormDialog, useAdding } from '../../parts/form-dialog.tsx';
import type { Fields } from '../../parts/form.tsx';
import * as icons from '../../parts/icons.ts';
import { ListCard } from '../../parts/list-card.tsx';
import { Page } from '../../parts/page.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useAddress } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import type { Query } from '../../state/query.ts';
import { mayManage, whyNotManage } from '../../state/session.ts';
import { into } from '../../state/signals.ts';
import { useApi } from '../../state/use-api.ts';
import { webhooks as t } from '../../texts/webhooks.ts';
import { Deliveries } from './deliveries.tsx';
import { toldOf, type Webhook } from './events.ts';
import { LastDays } from './last-days.tsx';
import { Settings, Wish, wishOf } from './settings.tsx';

const State = ({ disabledAt }: Pick<Webhook, 'disabledAt'>) => (
  <span class={disabledAt ? 'chip warn' : 'chip good'}>{disabledAt ? t.off : t.on}</span>
);

const All = ({ webhooks }: { webhooks: Query<readonly Webhook[]> }) => (
  <ListCard
    title={t.title}
    query={webhooks}
    empty={{ icon: icons.webhooks, title: t.empty, text: t.emptyText }}
    keyOf={({ id }) => id}
    rowHref={({ id }) => `/webhooks?id=${id}`}
    columns={[
      { label: t.address, show: ({ url }) => url },
      { label: t.events, show: ({ events }) => toldOf(events) },
      { label: t.state, show: State },
      { label: t.created, at: ({ createdAt }) => createdAt },
    ]}
  />
);

function One({ webhook, close }: { webhook: Webhook; close: () => void }) {
  return (
    <>
      <p class="row">
        <a href="/webhooks">{t.back}</a>
        <strong>{webhook.url}</strong>
      </p>
      <LastDays webhookId={webhook.id} />
      <Settings webhook={webhook} state={<State {...webhook} />} gone={close} />
      <Deliveries webhookId={webhook.id} />
    </>
  );
}

function NewWebhook({ onMade }: { onMade: (secret: string) => void }) {
  const { change } = useAddress();
  const create = async (fields: Fields) => {
    const made = await api.createWebhook({ body: wishOf(fields) });
    onMade(made.secret);
    change({ add: undefined, id: made.webhook.id });
  };
  return (
    <FormDialog
      button={t.create}
      submit={t.createButton}
      opening={useAdding('webhook')}
      notAllowed={whyNotManage.value}
      isWide
      send={create}
    >
      <Wish />
    </FormDialog>
  );
}

export function Webhooks() {
  const { query, change } = useAddress();
  const webhooks = useApi(api.listWebhooks, {}, { enabled: mayManage.value });
  const secret = useSignal<string | null>(null);
  const webhook = webhooks.value.data?.find(({ id }) => id === query.id);
  return (
    <Page
      question={t.question}
      help="webhooks"
      notAllowed={whyNotManage.value}
      actions={<NewWebhook onMade={into(secret)} />}
    >
      <ShownOnce why={t.secret} text={secret.value} />
      {webhook ? (
        <Loaded query={webhooks}>
          {() => <One webhook={webhook} close={() => change({ id: undefined })} />}
        </Loaded>
      ) : (
        <All webhooks={webhooks} />
      )}
    </Page>
  );
}
