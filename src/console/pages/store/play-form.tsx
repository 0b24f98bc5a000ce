import { Field } from '../../parts/form.tsx';
import { api } from '../../state/api.ts';
import { playStore as t } from '../../texts/play-store.ts';
import { PlayKeyForm } from './play-parts.tsx';

export function PlayForm(props: {
  appId: string;
  packageName: string;
  pushEmail: string;
  onConnected: () => void;
}) {
  const { appId, packageName, pushEmail, onConnected } = props;
  return (
    <PlayKeyForm
      steps={t.steps}
      onConnected={onConnected}
      connect={(fields, serviceAccount) => {
        const email = fields.get('pushEmail').trim();
        return api.connectPlayStore({
          id: appId,
          body: {
            packageName: fields.get('packageName').trim(),
            serviceAccount,
            ...(email !== '' && { pushEmail: email }),
          },
        });
      }}
      below={
        <Field
          label={t.push}
          name="pushEmail"
          type="email"
          hint={t.pushHint}
          autocomplete="off"
          value={pushEmail}
          optional
        />
      }
    >
      <Field
        label={t.package}
        name="packageName"
        hint={t.packageHint}
        autocomplete="off"
        value={packageName}
      />
    </PlayKeyForm>
  );
}
