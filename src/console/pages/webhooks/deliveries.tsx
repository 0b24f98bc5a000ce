import { useSignal } from '@preact/signals';
import { when } from '../../format.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Card } from '../../parts/card.tsx';
import { Choice, Field, type Fields, Form } from '../../parts/form.tsx';
import * as icons from '../../parts/icons.ts';
import { ListCard } from '../../parts/list-card.tsx';
import { Pagination } from '../../parts/pagination.tsx';
import { useSetting } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { mapped } from '../../state/mapped.ts';
import { useApi } from '../../state/use-api.ts';
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

export function Deliveries({ webhookId }: { webhookId: string }) {
  const [cursor, setCursor] = useSetting('before', '');
  const page = useApi(
    api.listWebhookDeliveries,
    { webhookId, query: cursor ? { cursor } : {} },
    // They do not change under the reader.
    { everySeconds: cursor ? undefined : POLL_SECONDS },
  );
  const next = page.value.data?.nextCursor ?? null;
  const again = async (deliveryId: string) => {
    await api.redeliverWebhook({ webhookId, deliveryId });
    return t.sent;
  };
  return (
    <>
      <ListCard
        title={t.deliveries}
        sub={t.failedFirst}
        count={null}
        query={mapped(page, ({ deliveries }) => failedFirst(deliveries))}
        empty={{ icon: icons.webhooks, title: t.noDeliveries, text: t.noDeliveriesText }}
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
          { label: t.created, at: ({ createdAt }) => createdAt, sort: true },
          {
            label: t.again,
            isAct: true,
            narrow: true,
            show: ({ id }) => <ActionButton inRow button={t.again} act={() => again(id)} />,
          },
        ]}
        below={
          (cursor || next) && (
            <div class="row log-pages">
              <Pagination
                {...{ cursor, next }}
                texts={{ first: t.newest, next: t.older }}
                onTurn={setCursor}
              />
            </div>
          )
        }
      />
      <Range webhookId={webhookId} />
    </>
  );
}

function Range({ webhookId }: { webhookId: string }) {
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
