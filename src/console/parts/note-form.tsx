import { useEffect, useRef } from 'preact/hooks';
import { api } from '../state/api.ts';
import { whyNotManage } from '../state/session.ts';
import { notes as t } from '../texts/notes.ts';
import { Field, Form } from './form.tsx';

type Props = { appId: string; day: string; onSaved: () => void; onCancel?: () => void };

export function NoteForm({ appId, day, onSaved, ...others }: Props) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector('input')?.focus(), []);
  return (
    <div ref={place}>
      <Form
        button={t.save}
        notAllowed={whyNotManage.value}
        {...others}
        onSubmit={async (fields) => {
          const body = { day: fields.get('day'), text: fields.get('text').trim() };
          await api.createMark({ id: appId, body });
          onSaved();
        }}
      >
        <Field label={t.title} name="text" maxLength={200} hint={t.why} />
        <Field label={t.day} name="day" type="date" value={day} />
      </Form>
    </div>
  );
}
