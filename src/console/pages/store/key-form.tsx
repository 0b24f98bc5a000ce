import type { Signal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { Field, type Fields, Form } from '../../parts/form.tsx';
import { whyNotManage } from '../../state/session.ts';
import { store as t } from '../../texts/store.ts';
import { type Kind, keyOfFile, misplacedValue, otherKind } from './misplaced.ts';

const KEYS_AT = 'https://appstoreconnect.apple.com/access/integrations/api';

export type KeyFile = { name: string; privateKey: string } | null;
export type KeyFiles = Record<Kind, Signal<KeyFile>>;
export type Key = {
  issuerId: string;
  keyId: string;
  vendorNumber: string;
  privateKey: string;
};

const FIELDS = ['issuerId', 'keyId', 'vendorNumber'] as const;

function keyOf(fields: Fields, file: KeyFile, takenBy: { kind: Kind; keyId: string } | null): Key {
  const [issuerId = '', keyId = '', vendorNumber = ''] = FIELDS.map((name) => {
    const value = fields.get(name).trim();
    const misplaced = misplacedValue(name, value);
    if (misplaced) throw new Error(misplaced);
    return value;
  });
  if (!file) throw new Error(t.noFile);
  if (takenBy?.keyId === keyId) throw new Error(t.sameKey(t[takenBy.kind].title));
  return { issuerId, keyId, vendorNumber, privateKey: file.privateKey };
}

function FileField({ kind, files }: { kind: Kind; files: KeyFiles }) {
  const id = useId();
  const file = files[kind].value;
  const found = file && keyOfFile(file.name);
  const other = otherKind(kind);
  const choose = async (event: Event) => {
    const { target } = event;
    const chosen = target instanceof HTMLInputElement && target.files?.[0];
    if (!chosen) return;
    files[kind].value = { name: chosen.name, privateKey: await chosen.text() };
  };
  const move = () => {
    files[other].value = file;
    files[kind].value = null;
  };
  return (
    <div class="field">
      <label for={id}>
        {t.fileLabel} ({t[kind].file})
      </label>
      <input id={id} type="file" accept=".p8" onChange={choose} />
      {file && (
        <small>
          {t.chosen} {file.name}
        </small>
      )}
      {file && !file.privateKey.includes('BEGIN PRIVATE KEY') && (
        <p class="bad" role="alert">
          {t.notKey}
        </p>
      )}
      {found && found.kind !== kind && (
        <p class="notice warn" role="alert">
          {t.otherKey(file.name, t[other].title)}{' '}
          <button type="button" onClick={move}>
            {t.move}
          </button>
        </p>
      )}
    </div>
  );
}

export function KeyForm(props: {
  kind: Kind;
  files: KeyFiles;
  /** Both keys share it. */
  issuerId: string | undefined;
  takenBy: { kind: Kind; keyId: string } | null;
  connect: (key: Key) => Promise<unknown>;
}) {
  const { kind, files } = props;
  const file = files[kind].value;
  const advice: Record<string, string> = t.advice;
  return (
    <>
      <ol class="how-to">
        {t[kind].steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p>
        <a
          href={kind === 'reporting' ? KEYS_AT : `${KEYS_AT}/subs`}
          target="_blank"
          rel="noreferrer"
        >
          {t[kind].open}
        </a>
      </p>
      <Form
        button={t.connect}
        notAllowed={whyNotManage.value}
        onSubmit={async (fields) => {
          await props.connect(keyOf(fields, file, props.takenBy));
          files[kind].value = null;
        }}
        advice={({ code }) => code && advice[code] && <p class="notice">{advice[code]}</p>}
      >
        <FileField kind={kind} files={files} />
        <Field
          label={t.issuerId}
          name="issuerId"
          hint={t.issuerHint}
          autocomplete="off"
          {...(props.issuerId && { value: props.issuerId })}
        />
        <Field
          key={file?.name}
          label={t.keyId}
          name="keyId"
          hint={t.keyHint}
          autocomplete="off"
          value={(file && keyOfFile(file.name)?.keyId) ?? ''}
        />
        {kind === 'reporting' && (
          <Field label={t.vendor} name="vendorNumber" hint={t.vendorHint} autocomplete="off" />
        )}
      </Form>
    </>
  );
}
