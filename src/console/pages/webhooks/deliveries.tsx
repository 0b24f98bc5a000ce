import { useSignal } from '@preact/signals';
import { when } from '../../format.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Card } from '../../parts/card.tsx';
import { Choice, Field, type Fields, Form } from '../../parts/form.tsx';
import * as icons from '../../parts/icons.ts';
import { Pagination } from '../../parts/pagination.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { useSetting } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { webhooks as t } from '../../texts/webhooks.ts';
import { type Delivery, failedFirst } from './rate.ts';

const POLL_SECONDS = 5;
const COLORS = { pending: 'quiet', delivered: 'good', failed: 'bad' } as const;
const RANGES = ['failed', 'delivered', 'any'] as const;

function Attempts({ attempts }: { attempts: Delivery['attempts'] }) {
  const last = attempts.at(-1);
  const said = ({ responseStatus, error }: Delivery['attempts'][number]) =>
    [responseStatus, error].filter((part) => part !== null).join(' ');
  if (!last) return <>–</>;
  return (
    <details>
      <summary>
        {said(last)} ({attempts.length})
      </summary>
      {attempts.map((attempt) => (
        <div class="quiet" key={attempt.attemptedAt}>
          {when(attempt.attemptedAt)}: {said(attempt)}, {attempt.durationMs} ms
        </div>
      ))}
    </details>
  );
}

export function useDeliveries(webhookId: string, cursor: string) {
  return useQuery(
    `deliveries ${webhookId} ${cursor}`,
    (signal) =>
      api.listWebhookDeliveries({ webhookId, query: cursor ? { cursor } : {} }, { signal }),
    // They do not change under the reader.
    { everySeconds: cursor ? undefined : POLL_SECONDS },
  );
}

function DeliveriesTable(props: {
  webhookId: string;
  deliveries: readonly Delivery[];
  refetch: () => void;
}) {
  const { webhookId, refetch } = props;
  const again = async (deliveryId: string) => {
    await api.redeliverWebhook({ webhookId, deliveryId });
    refetch();
    return t.sent;
  };
  return (
    <Table
      caption={t.deliveries}
      rows={failedFirst(props.deliveries)}
      keyOf={({ id }) => id}
      csvName="deliveries"
      columns={[
        {
          label: t.event,
          show: ({ event }) => <strong>{t.names[event]}</strong>,
          plain: ({ event }) => event,
          second: ({ event }) => <code>{event}</code>,
          narrow: true,
        },
        {
          label: t.state,
          show: ({ status }) => <strong class={COLORS[status]}>{t.statuses[status]}</strong>,
          plain: ({ status }) => status,
          narrow: true,
        },
        {
          label: t.result,
          show: ({ attempts }) => <Attempts attempts={attempts} />,
          plain: ({ attempts }) => attempts.at(-1)?.responseStatus ?? null,
          narrow: true,
        },
        {
          label: t.created,
          show: ({ createdAt }) => when(createdAt),
          plain: ({ createdAt }) => createdAt,
          sort: ({ createdAt }) => createdAt,
        },
        {
          label: t.again,
          isAct: true,
          narrow: true,
          show: ({ id }) => <ActionButton inRow button={t.again} act={() => again(id)} />,
        },
      ]}
    />
  );
}

export function Deliveries({ webhookId }: { webhookId: string }) {
  const [cursor, setCursor] = useSetting('before', '');
  const page = useDeliveries(webhookId, cursor);
  return (
    <>
      <Card title={t.deliveries} sub={t.failedFirst} flush>
        <Loaded query={page}>
          {({ deliveries, nextCursor }) =>
            deliveries.length === 0 ? (
              <Empty icon={icons.webhooks} title={t.noDeliveries} text={t.noDeliveriesText} />
            ) : (
              <>
                <DeliveriesTable
                  webhookId={webhookId}
                  deliveries={deliveries}
                  refetch={page.refetch}
                />
                {(cursor || nextCursor) && (
                  <div class="row log-pages">
                    <Pagination
                      cursor={cursor}
                      next={nextCursor}
                      texts={{ first: t.newest, next: t.older }}
                      onTurn={setCursor}
                    />
                  </div>
                )}
              </>
            )
          }
        </Loaded>
      </Card>
      <Range webhookId={webhookId} refetch={page.refetch} />
    </>
  );
}

function Range({ webhookId, refetch }: { webhookId: string; refetch: () => void }) {
  const said = useSignal('');
  const send = async (fields: Fields) => {
    const to = fields.get('to');
    const { accepted, nextFrom } = await api.resendWebhookDeliveries({
      webhookId,
      body: {
        from: new Date(fields.get('from')).toISOString(),
        ...(to && { to: new Date(to).toISOString() }),
        status: RANGES.find((one) => one === fields.get('status')) ?? 'failed',
      },
    });
    said.value = `${t.accepted(accepted)} ${nextFrom ? t.goOn(when(nextFrom)) : ''}`;
    refetch();
  };
  return (
    <Card title={t.range}>
      <p class="quiet">{t.rangeWhy}</p>
      <Form button={t.again} onSubmit={send}>
        <div class="row">
          <Field label={t.from} name="from" type="datetime-local" />
          <Field label={t.to} name="to" type="datetime-local" optional />
          <Choice
            label={t.which}
            name="status"
            options={RANGES.map((one) => [one, t.whichOf[one]] as const)}
          />
        </div>
      </Form>
      <p role="status">{said.value}</p>
    </Card>
  );
}
