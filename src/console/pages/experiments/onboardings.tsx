import { Confirmed } from '../../parts/confirm.tsx';
import { type Fields, Form } from '../../parts/form.tsx';
import { JsonField } from '../../parts/json-field.tsx';
import { ListCard } from '../../parts/list-card.tsx';
import { api } from '../../state/api.ts';
import { whyNotEdit } from '../../state/session.ts';
import { experiments as t } from '../../texts/experiments.ts';
import { type Onboarding, useOnboardings } from './queries.ts';

function Content({ onboarding }: { onboarding: Onboarding }) {
  const { appId, id, config, name } = onboarding;
  const save = async (fields: Fields) => {
    const changed: unknown = JSON.parse(fields.get('content'));
    await api.updateOnboarding({ id: appId, onboardingId: id, body: { config: changed } });
  };
  return (
    <details>
      <summary aria-label={`${t.edit}: ${name}`}>{t.edit}</summary>
      <Form button={t.saveContent} onSubmit={save} notAllowed={whyNotEdit.value} keep>
        <JsonField label={t.content} name="content" value={config} hint={t.contentNow} />
      </Form>
    </details>
  );
}

export function Onboardings({ appId }: { appId: string }) {
  const onboardings = useOnboardings(appId);
  const makeDefault = (id: string) =>
    api.updateOnboarding({ id: appId, onboardingId: id, body: { isDefault: true } });
  const { data, error } = onboardings.value;
  if (!error && !data?.length) return null;
  return (
    <ListCard
      title={t.onboardings}
      count={null}
      query={onboardings}
      keyOf={({ id }) => id}
      columns={[
        { label: t.name, show: ({ name }) => name },
        {
          label: t.shownTo,
          show: ({ id, name, isDefault }) =>
            isDefault ? (
              <strong>{t.isDefault}</strong>
            ) : (
              <Confirmed
                button={t.makeDefault}
                title={`${t.makeDefault}: ${name}`}
                loss={t.defaultLoss}
                name={name}
                notAllowed={whyNotEdit.value}
                onConfirm={() => makeDefault(id)}
              />
            ),
        },
        {
          label: t.content,
          show: (onboarding) => <Content onboarding={onboarding} />,
        },
      ]}
    />
  );
}
