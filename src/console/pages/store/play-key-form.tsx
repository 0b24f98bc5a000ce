import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Fields } from '../../parts/form.tsx';
import { playStore as t } from '../../texts/play-store.ts';
import { type KeyFile, KeyForm } from './key-card.tsx';

const USERS_AT = 'https://play.google.com/console/developers/users-and-permissions';

export function PlayKeyForm(props: {
  steps: readonly string[];
  connect: (fields: Fields, serviceAccount: string) => Promise<unknown>;
  children: ComponentChildren;
}) {
  const file = useSignal<KeyFile | null>(null);
  return (
    <KeyForm
      steps={props.steps}
      link={{ href: USERS_AT, text: t.open }}
      label={t.file}
      accept=".json,application/json"
      file={file}
      noFile={t.noFile}
      advice={t.advice}
      connect={props.connect}
    >
      {props.children}
    </KeyForm>
  );
}
