import type { Signal } from '@preact/signals';
import type { ComponentChildren, ComponentProps } from 'preact';
import { useId } from 'preact/hooks';
import { Card } from '../../parts/card.tsx';
import { Confirmed } from '../../parts/confirm.tsx';
import { Facts } from '../../parts/facts.tsx';
import { type Fields, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/states.tsx';
import type { Query } from '../../state/query.ts';
import { whyNotManage } from '../../state/session.ts';
import { store as t } from '../../texts/store.ts';

export type KeyFile = { name: string; text: string };
type Connection = { status: 'connected' | 'invalid' | 'revoked'; lastError: string | null };

export function KeyCard<C extends Connection>(props: {
  title: string;
  why: string;
  loss: string;
  /** What is said of a refused one. */
  invalid: string;
  query: Query<C | null>;
  above?: ComponentChildren;
  rows: (connection: C) => ComponentProps<typeof Facts>['rows'];
  below?: (connection: C) => ComponentChildren;
  buttons?: ComponentChildren;
  nameOf: (connection: C) => string;
  disconnect: () => Promise<unknown>;
  form: (connection: C | null) => ComponentChildren;
}) {
  const { title, query, invalid } = props;
  const { data } = query.value;
  const isBad = data?.status === 'invalid' || data?.status === 'revoked';
  const words = { connected: t.connected, invalid, revoked: t.revoked };
  return (
    <Card
      title={title}
      isRegion
      actions={
        data !== undefined && (
          <span class={`chip ${isBad ? 'bad' : data ? 'good' : ''}`}>
            {data ? words[data.status] : t.none}
          </span>
        )
      }
    >
      <p class="quiet">{props.why}</p>
      {props.above}
      <Loaded query={query}>
        {(connection) =>
          connection === null ? (
            props.form(null)
          ) : (
            <>
              {connection.lastError && (
                <p class={`notice ${isBad ? 'bad' : 'warn'}`}>{connection.lastError}</p>
              )}
              <Facts rows={props.rows(connection)} />
              {props.below?.(connection)}
              <details open={isBad}>
                <summary>{t.replace}</summary>
                {props.form(connection)}
              </details>
              <div class="row">
                {props.buttons}
                <Confirmed
                  button={t.disconnect}
                  title={`${t.disconnect}: ${title}`}
                  loss={props.loss}
                  name={props.nameOf(connection)}
                  notAllowed={whyNotManage.value}
                  onConfirm={props.disconnect}
                />
              </div>
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

/** Steps, then a form with the file of a key. */
export function KeyForm(props: {
  steps: readonly string[];
  link: { href: string; text: string };
  label: string;
  accept: string;
  file: Signal<KeyFile | null>;
  noFile: string;
  warning?: (file: KeyFile) => ComponentChildren;
  advice: Readonly<Record<string, string>>;
  connect: (fields: Fields, text: string) => Promise<unknown>;
  children: ComponentChildren;
}) {
  const { steps, link, file, advice } = props;
  const id = useId();
  const choose = async ({ target }: Event) => {
    const chosen = target instanceof HTMLInputElement && target.files?.[0];
    if (chosen) file.value = { name: chosen.name, text: await chosen.text() };
  };
  return (
    <>
      <ol class="how-to">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p>
        <a href={link.href} target="_blank" rel="noreferrer">
          {link.text}
        </a>
      </p>
      <Form
        button={t.connect}
        notAllowed={whyNotManage.value}
        onSubmit={async (fields) => {
          if (!file.value) throw new Error(props.noFile);
          await props.connect(fields, file.value.text);
          file.value = null;
        }}
        advice={({ code }) => code && advice[code] && <p class="notice">{advice[code]}</p>}
      >
        <div class="field">
          <label for={id}>{props.label}</label>
          <input id={id} type="file" accept={props.accept} onChange={choose} />
          {file.value && (
            <small>
              {t.chosen} {file.value.name}
            </small>
          )}
          {file.value && props.warning?.(file.value)}
        </div>
        {props.children}
      </Form>
    </>
  );
}
