import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { when } from '../../format.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Card } from '../../parts/card.tsx';
import { Confirmed } from '../../parts/confirm.tsx';
import { Checks, Choice, Field, type Fields, Form } from '../../parts/form.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { api } from '../../state/api.ts';
import { into } from '../../state/signals.ts';
import { texts } from '../../texts/index.ts';
import { webhooks as t } from '../../texts/webhooks.ts';
import { TEST, EVENTS, eventsOf, GROUPS, type Webhook } from './events.ts';

const TESTS = [[TEST, t.names[TEST]] as const, ...EVENTS];

export function wishOf(fields: Fields) {
  const events = eventsOf(fields.all('events'));
  if (events.length === 0) throw new Error(t.noEvents);
  const listOf = (name: string) =>
    fields
      .get(name)
      .split(/[\s,]+/)
      .filter(Boolean);
  return {
    url: fields.get('url').trim(),
    events,
    entitlements: listOf('entitlements'),
    eventNames: listOf('eventNames'),
    eventOneIn: Number(fields.get('eventOneIn') || 1),
  };
}

export function Wish({ webhook }: { webhook?: Webhook }) {
  return (
    <div class="wide">
      <Field
        label={t.address}
        name="url"
        hint={t.addressHint}
        value={webhook?.url ?? ''}
        maxLength={2_048}
      />
      <div class="halves">
        {GROUPS.map(([label, options]) => (
          <Checks
            key={label}
            label={label}
            name="events"
            options={options}
            value={webhook?.events ?? []}
          />
        ))}
      </div>
      <Field
        label={t.entitlements}
        name="entitlements"
        hint={t.entitlementsHint}
        value={webhook?.entitlements?.join(', ') ?? ''}
        maxLength={2_048}
        optional
      />
      <Field
        label={t.eventNames}
        name="eventNames"
        hint={t.eventNamesHint}
        value={webhook?.eventNames?.join(', ') ?? ''}
        maxLength={2_048}
        optional
      />
      <Field
        label={t.eventOneIn}
        name="eventOneIn"
        hint={t.eventOneInHint}
        value={String(webhook?.eventOneIn ?? 1)}
        maxLength={5}
        optional
      />
    </div>
  );
}

export function Settings(props: { webhook: Webhook; state: ComponentChildren; gone: () => void }) {
  const { webhook } = props;
  const { id: webhookId, url, disabledAt, previousSecretUntil } = webhook;
  const secret = useSignal<string | null>(null);
  const test = useSignal<(typeof TESTS)[number][0]>(TEST);
  const change = (body: Parameters<typeof api.changeWebhook>[0]['body']) =>
    api.changeWebhook({ webhookId, body });
  return (
    <Card title={t.manage} actions={props.state}>
      <ShownOnce why={t.secret} text={secret.value} />
      {previousSecretUntil && <p class="quiet">{t.overlap(when(previousSecretUntil))}</p>}
      {webhook.eventsLeftOutAt && (
        <p class="notice warn">{t.leftOut(when(webhook.eventsLeftOutAt))}</p>
      )}
      {disabledAt && <p class="notice warn">{t.offWhy}</p>}
      <div class="row">
        <Choice
          label={t.testAs}
          name="test"
          hideLabel
          options={TESTS}
          value={test.value}
          onChange={into(test)}
        />
        <ActionButton
          button={t.test}
          kind="primary"
          act={async () => {
            await api.testWebhook({ webhookId, body: { event: test.value } });
            return t.tested;
          }}
        />
      </div>
      <div class="row">
        <ActionButton
          button={disabledAt ? t.switchOn : t.switchOff}
          act={() => change({ enabled: disabledAt !== null })}
        />
        <Confirmed
          button={t.rotate}
          title={t.rotate}
          loss={t.rotateLoss}
          name={new URL(url).host}
          onConfirm={async () => {
            secret.value = (await api.rotateWebhookSecret({ webhookId })).secret;
          }}
        />
        <Confirmed
          button={t.remove}
          title={`${t.remove} ${url}`}
          loss={t.removeLoss}
          name={new URL(url).host}
          onConfirm={async () => {
            await api.deleteWebhook({ webhookId });
            props.gone();
          }}
        />
      </div>
      <details>
        <summary>{t.change}</summary>
        <Form button={texts.save} done={texts.saved} onSubmit={(fields) => change(wishOf(fields))}>
          <Wish webhook={webhook} />
        </Form>
      </details>
    </Card>
  );
}
