import { ActionButton } from '../../parts/action-button.tsx';
import { Choice, Field, type Fields, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { messages as t } from '../../texts/messages.ts';

const KINDS = ['mail', 'slack', 'discord', 'json'] as const;
const KIND_OPTIONS = KINDS.map((kind) => [kind, t.kinds[kind]] as const);

/** Where digests and messages go: tried, added and taken away. */
export function Destinations() {
  const found = useQuery('digest destinations', (signal) =>
    api.listDigestDestinations(undefined, { signal }),
  );
  const add = async (fields: Fields) => {
    const kind = KINDS.find((one) => one === fields.get('kind')) ?? 'mail';
    const body = { kind, name: fields.get('name').trim(), target: fields.get('target').trim() };
    await api.createDigestDestination({ body });
    found.refetch();
  };
  const test = async (destinationId: string) => {
    const { delivered, error } = await api.testDigestDestination({ destinationId });
    found.refetch();
    return delivered ? t.delivered : t.notDelivered(error ?? '');
  };
  const remove = async (destinationId: string) => {
    await api.deleteDigestDestination({ destinationId });
    found.refetch();
    return t.removed;
  };
  return (
    <section>
      <h2>{t.destinations}</h2>
      <Loaded query={found}>
        {(all) =>
          all.length === 0 ? (
            <p>{t.noDestinations}</p>
          ) : (
            <Table
              caption={t.destinations}
              rows={all}
              keyOf={({ id }) => id}
              csvName="digest-destinations"
              columns={[
                { label: t.name, show: ({ name }) => name },
                { label: t.kind, show: ({ kind }) => t.kinds[kind], plain: ({ kind }) => kind },
                {
                  label: t.target,
                  show: ({ shownTarget, goneReason }) => (
                    <span>
                      {shownTarget}{' '}
                      {goneReason && (
                        <span class="bad">
                          {t.gone} {goneReason}
                        </span>
                      )}
                    </span>
                  ),
                  plain: ({ shownTarget }) => shownTarget,
                },
                {
                  label: t.test,
                  show: ({ id }) => <ActionButton button={t.test} act={() => test(id)} />,
                },
                {
                  label: t.remove,
                  show: ({ id }) => <ActionButton button={t.remove} act={() => remove(id)} />,
                },
              ]}
            />
          )
        }
      </Loaded>
      <Form button={t.add} onSubmit={add}>
        <div class="row">
          <Choice label={t.kind} name="kind" options={KIND_OPTIONS} />
          <Field label={t.label} name="name" maxLength={80} />
          <Field label={t.target} name="target" hint={t.targetHint} maxLength={2_048} />
        </div>
      </Form>
    </section>
  );
}
