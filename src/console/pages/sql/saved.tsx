import type { SqlQuery } from '../../../../clients/api/src/index.ts';
import { Confirmed } from '../../parts/confirm.tsx';
import { Choice, Field, Form } from '../../parts/form.tsx';
import * as icons from '../../parts/icons.ts';
import { Popover } from '../../parts/popover.tsx';
import { api } from '../../state/api.ts';
import type { Value } from '../../state/sql-text.ts';
import { sql as t } from '../../texts/sql.ts';

const NAME_MAX = 80;

export function ChooseSaved(props: {
  all: readonly SqlQuery[];
  opened: SqlQuery | undefined;
  onOpen: (one: SqlQuery | undefined) => void;
}) {
  const { all, opened, onOpen } = props;
  return (
    <Choice
      label={t.saved}
      name="saved"
      hideLabel
      value={opened?.id ?? ''}
      options={[
        ['', all.length === 0 ? t.none : t.fresh],
        ...all.map(({ id, name }) => [id, name] as const),
      ]}
      onChange={(id) => onOpen(all.find((one) => one.id === id))}
    />
  );
}

export function SaveSql(props: {
  text: string;
  parameters: Record<string, Value>;
  opened: SqlQuery | undefined;
  onSaved: (id: string) => void;
}) {
  const { text, parameters, opened, onSaved } = props;
  const label = opened ? t.saveChange : t.save;
  const keep = async (name: string) => {
    const body = { name, sql: text, parameters };
    const kept = opened
      ? await api.updateSqlQuery({ queryId: opened.id, body })
      : await api.saveSqlQuery({ body });
    onSaved(kept.id);
  };
  return (
    <Popover
      label={label}
      placement="bottom-end"
      button={{ isOff: text.trim() === '', icon: icons.pin, text: label }}
    >
      {(close) => (
        <Form
          button={label}
          onSubmit={async (fields) => {
            await keep(fields.get('name').trim());
            close();
          }}
        >
          <Field
            label={t.name}
            name="name"
            value={opened?.name ?? ''}
            maxLength={NAME_MAX}
            hint={t.nameHint}
          />
        </Form>
      )}
    </Popover>
  );
}

export function RemoveSaved({ opened, onDone }: { opened: SqlQuery; onDone: () => void }) {
  return (
    <Confirmed
      button={t.remove}
      title={`${t.remove} ${opened.name}`}
      loss={t.removeLoss}
      name={opened.name}
      onConfirm={async () => {
        await api.deleteSqlQuery({ queryId: opened.id });
        onDone();
      }}
    />
  );
}
