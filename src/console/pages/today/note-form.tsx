import { useEffect, useRef } from 'preact/hooks';
import { Field, Form } from '../../parts/form.tsx';
import { api } from '../../state/api.ts';
import { today as todayTexts } from '../../texts/today.ts';

const t = todayTexts.note;

export function NoteForm(props: { appId: string; today: string; onSaved: () => void }) {
  const { appId, today, onSaved } = props;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector('input')?.focus(), []);
  return (
    <div ref={place}>
      <Form
        button={t.save}
        onSubmit={async (fields) => {
          const body = { day: fields.get('day'), text: fields.get('text').trim() };
          await api.createMark({ id: appId, body });
          onSaved();
        }}
      >
        <Field label={t.text} name="text" maxLength={200} hint={t.why} />
        <Field label={t.day} name="day" type="date" value={today} />
      </Form>
    </div>
  );
}
