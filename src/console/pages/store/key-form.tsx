import type { Signal } from '@preact/signals';
import { Field, type Fields } from '../../parts/form.tsx';
import { store as t } from '../../texts/store.ts';
import { type KeyFile, KeyForm } from './key-card.tsx';
import { type Kind, keyOfFile, misplacedValue, otherKind } from './misplaced.ts';

const KEYS_AT = 'https://appstoreconnect.apple.com/access/integrations/api';

export type KeyFiles = Record<Kind, Signal<KeyFile | null>>;
export type Key = {
  issuerId: string;
  keyId: string;
  vendorNumber: string;
  privateKey: string;
};

const FIELDS = ['issuerId', 'keyId', 'vendorNumber'] as const;

function keyOf(fields: Fields, privateKey: string): Key {
  const [issuerId = '', keyId = '', vendorNumber = ''] = FIELDS.map((name) =>
    fields.get(name).trim(),
  );
  return { issuerId, keyId, vendorNumber, privateKey };
}

const misplaced = (name: (typeof FIELDS)[number]) => (value: string) =>
  misplacedValue(name, value.trim());

const sameKey = (value: string, taken: { kind: Kind; keyId: string } | null) =>
  taken?.keyId === value.trim() ? t.sameKey(t[taken.kind].title) : null;

function Warnings({ kind, files, file }: { kind: Kind; files: KeyFiles; file: KeyFile }) {
  const found = keyOfFile(file.name);
  const other = otherKind(kind);
  const move = () => {
    files[other].value = file;
    files[kind].value = null;
  };
  return (
    <>
      {!file.text.includes('BEGIN PRIVATE KEY') && (
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
    </>
  );
}

export function StoreKeyForm(props: {
  kind: Kind;
  files: KeyFiles;
  /** Both keys share it. */
  issuerId: string | undefined;
  takenBy: { kind: Kind; keyId: string } | null;
  connect: (key: Key) => Promise<unknown>;
}) {
  const { kind, files } = props;
  const file = files[kind].value;
  return (
    <KeyForm
      steps={t[kind].steps}
      link={{ href: kind === 'reporting' ? KEYS_AT : `${KEYS_AT}/subs`, text: t[kind].open }}
      label={`${t.fileLabel} (${t[kind].file})`}
      accept=".p8"
      file={files[kind]}
      noFile={t.noFile}
      warning={(chosen) => <Warnings kind={kind} files={files} file={chosen} />}
      advice={t.advice}
      connect={(fields, text) => props.connect(keyOf(fields, text))}
    >
      <Field
        label={t.issuerId}
        name="issuerId"
        hint={t.issuerHint}
        check={misplaced('issuerId')}
        minLength={8}
        maxLength={100}
        {...(props.issuerId && { value: props.issuerId })}
      />
      <Field
        key={file?.name}
        label={t.keyId}
        name="keyId"
        hint={t.keyHint}
        check={(value) => misplaced('keyId')(value) ?? sameKey(value, props.takenBy)}
        minLength={4}
        maxLength={40}
        value={(file && keyOfFile(file.name)?.keyId) ?? ''}
      />
      {kind === 'reporting' && (
        <Field
          label={t.vendor}
          name="vendorNumber"
          hint={t.vendorHint}
          check={misplaced('vendorNumber')}
          minLength={4}
          maxLength={20}
        />
      )}
    </KeyForm>
  );
}
