import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { type Fields, Form } from '../../parts/form.tsx';
import { whyNotManage } from '../../state/session.ts';
import { into } from '../../state/signals.ts';
import { playStore as t } from '../../texts/play-store.ts';
import { store } from '../../texts/store.ts';

const USERS_AT = 'https://play.google.com/console/developers/users-and-permissions';

type KeyFile = { name: string; text: string };

function FileField(props: { file: KeyFile | null; onChoose: (file: KeyFile) => void }) {
  const { file, onChoose } = props;
  const id = useId();
  const choose = async (event: Event) => {
    const { target } = event;
    const chosen = target instanceof HTMLInputElement && target.files?.[0];
    if (chosen) onChoose({ name: chosen.name, text: await chosen.text() });
  };
  return (
    <div class="field">
      <label for={id}>{t.file}</label>
      <input id={id} type="file" accept=".json,application/json" onChange={choose} />
      {file && (
        <small>
          {t.chosen} {file.name}
        </small>
      )}
    </div>
  );
}

function PlaySteps({ steps }: { steps: readonly string[] }) {
  return (
    <>
      <ol class="how-to">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p>
        <a href={USERS_AT} target="_blank" rel="noreferrer">
          {t.open}
        </a>
      </p>
    </>
  );
}

/** Steps, then a form with the JSON key; `children` stand above it. */
export function PlayKeyForm(props: {
  steps: readonly string[];
  connect: (fields: Fields, serviceAccount: string) => Promise<unknown>;
  onConnected: () => void;
  children: ComponentChildren;
  below?: ComponentChildren;
}) {
  const file = useSignal<KeyFile | null>(null);
  const advice: Record<string, string> = t.advice;
  return (
    <>
      <PlaySteps steps={props.steps} />
      <Form
        button={store.connect}
        notAllowed={whyNotManage.value}
        onSubmit={async (fields) => {
          if (!file.value) throw new Error(t.noFile);
          await props.connect(fields, file.value.text);
          file.value = null;
          props.onConnected();
        }}
        advice={({ code }) => code && advice[code] && <p class="notice">{advice[code]}</p>}
      >
        {props.children}
        <FileField file={file.value} onChoose={into(file)} />
        {props.below}
      </Form>
    </>
  );
}

/** A connected key: its state, then `children`, the form that replaces it, and the buttons. */
export function PlayConnected(props: {
  of: { status: 'connected' | 'invalid'; lastError: string | null };
  form: ComponentChildren;
  buttons: ComponentChildren;
  children: ComponentChildren;
}) {
  const { status, lastError } = props.of;
  const isBad = status === 'invalid';
  return (
    <>
      <p>
        <span class={`chip ${isBad ? 'bad' : 'good'}`}>{isBad ? t.invalid : store.connected}</span>
      </p>
      {lastError && <p class="notice bad">{lastError}</p>}
      {props.children}
      <details open={isBad}>
        <summary>{store.replace}</summary>
        {props.form}
      </details>
      <div class="row">{props.buttons}</div>
    </>
  );
}
