import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { Field, Form } from '../../parts/form.tsx';
import { api } from '../../state/api.ts';
import { mayManage } from '../../state/session.ts';
import { texts } from '../../texts/index.ts';
import { playStore as t } from '../../texts/play-store.ts';
import { store } from '../../texts/store.ts';

const USERS_AT = 'https://play.google.com/console/developers/users-and-permissions';

type File = { name: string; text: string };

function FileField({ file, onChoose }: { file: File | null; onChoose: (file: File) => void }) {
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

export function PlayForm(props: {
  appId: string;
  packageName: string;
  pushEmail: string;
  onConnected: () => void;
}) {
  const { appId, packageName, pushEmail, onConnected } = props;
  const file = useSignal<File | null>(null);
  const advice: Record<string, string> = t.advice;
  return (
    <>
      <ol class="how-to">
        {t.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p>
        <a href={USERS_AT} target="_blank" rel="noreferrer">
          {t.open}
        </a>
      </p>
      <Form
        button={store.connect}
        notAllowed={!mayManage.value && texts.errors.managersOnly}
        onSubmit={async (fields) => {
          if (!file.value) throw new Error(t.noFile);
          const email = fields.get('pushEmail').trim();
          await api.connectPlayStore({
            id: appId,
            body: {
              packageName: fields.get('packageName').trim(),
              serviceAccount: file.value.text,
              ...(email !== '' && { pushEmail: email }),
            },
          });
          file.value = null;
          onConnected();
        }}
        advice={({ code }) => code && advice[code] && <p class="notice">{advice[code]}</p>}
      >
        <Field
          label={t.package}
          name="packageName"
          hint={t.packageHint}
          autocomplete="off"
          value={packageName}
        />
        <FileField
          file={file.value}
          onChoose={(chosen) => {
            file.value = chosen;
          }}
        />
        <Field
          label={t.push}
          name="pushEmail"
          type="email"
          hint={t.pushHint}
          autocomplete="off"
          value={pushEmail}
          optional
        />
      </Form>
    </>
  );
}
