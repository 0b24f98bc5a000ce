import { ActionButton } from '../../parts/action-button.tsx';
import { Card } from '../../parts/card.tsx';
import { Choice, Field, type Fields, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { api } from '../../state/api.ts';
import { whyNotEdit } from '../../state/session.ts';
import { useApi } from '../../state/use-api.ts';
import { experiments as t } from '../../texts/experiments.ts';
import type { Experiment } from './queries.ts';

export function Overrides({ experiment }: { experiment: Experiment }) {
  const { appId, id, arms } = experiment;
  const path = { id: appId, experimentId: id };
  const overrides = useApi(api.listExperimentOverrides, path);
  const nameOf = (armId: string) => arms.find((arm) => arm.id === armId)?.name ?? armId;
  const set = (fields: Fields) => {
    const body = { anonymousId: fields.get('anonymousId'), armId: fields.get('armId') };
    return api.setExperimentOverride({ ...path, body });
  };
  return (
    <Card title={t.overrides}>
      <p class="quiet">{t.overridesWhy}</p>
      <Form button={t.show} onSubmit={set} notAllowed={whyNotEdit.value}>
        <div class="row">
          <Field label={t.device} name="anonymousId" minLength={8} maxLength={128} />
          <Choice
            label={t.anArm}
            name="armId"
            options={arms.map((arm) => [arm.id, arm.name] as const)}
          />
        </div>
      </Form>
      <Loaded query={overrides}>
        {(all) =>
          all.length > 0 && (
            <Table
              caption={t.overrides}
              rows={all}
              keyOf={({ anonymousId }) => anonymousId}
              columns={[
                { label: t.device, show: ({ anonymousId }) => <code>{anonymousId}</code> },
                { label: t.anArm, show: ({ armId }) => nameOf(armId) },
                { label: t.since, at: ({ createdAt }) => createdAt },
                {
                  label: t.takeBack,
                  show: ({ anonymousId }) => (
                    <ActionButton
                      button={t.takeBack}
                      notAllowed={whyNotEdit.value}
                      act={() => api.deleteExperimentOverride({ ...path, query: { anonymousId } })}
                    />
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
    </Card>
  );
}
