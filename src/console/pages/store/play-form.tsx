import { useSignal } from '@preact/signals';
import { Field, Form } from '../../parts/form.tsx';
import { api } from '../../state/api.ts';
import { mayManage } from '../../state/session.ts';
import { texts } from '../../texts/index.ts';
import { playStore as t } from '../../texts/play-store.ts';
import { store } from '../../texts/store.ts';
import { FileField, type KeyFile, PlaySteps } from './play-parts.tsx';

export function PlayForm(props: {
  appId: string;
  packageName: string;
  pushEmail: string;
  onConnected: () => void;
}) {
  const { appId, packageName, pushEmail, onConnected } = props;
  const file = useSignal<KeyFile | null>(null);
  const advice: Record<string, string> = t.advice;
  return (
    <>
      <PlaySteps steps={t.steps} />
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
