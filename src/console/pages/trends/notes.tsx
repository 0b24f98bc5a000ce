import { calendarDay } from '../../format.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { iconOf, MarkIcon } from '../../parts/chart/index.ts';
import type { Mark } from '../../parts/chart/marks.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { NoteForm } from '../../parts/note-form.tsx';
import { api } from '../../state/api.ts';
import { mayManage } from '../../state/session.ts';
import { notes as t } from '../../texts/notes.ts';

function MarkRow({ appId, mark }: { appId: string; mark: Mark }) {
  const { id, kind, day, text } = mark;
  return (
    <li>
      <MarkIcon kind={iconOf(kind)} />
      <span class="quiet nowrap">{calendarDay(day)}</span>
      <span class="grow">{text}</span>
      {id !== null && mayManage.value && (
        <ActionButton
          button={t.remove}
          label={t.removeOf(text)}
          act={() => api.deleteMark({ id: appId, markId: id })}
        />
      )}
    </li>
  );
}

export function NotesDialog(props: {
  appId: string;
  isOpen: boolean;
  marks: readonly Mark[];
  dates: string;
  day: string;
  onClose: () => void;
}) {
  const { appId, isOpen, marks, dates, day, onClose } = props;
  return (
    <Dialog title={t.add} isOpen={isOpen} onClose={onClose}>
      <NoteForm appId={appId} day={day} onSaved={onClose} onCancel={onClose} />
      <h3 class="trend-notes-title">
        {marks.length > 0 ? t.marks(marks.length, dates) : t.none(dates)}
      </h3>
      <ul class="trend-notes">
        {marks.map((mark) => (
          <MarkRow key={`${mark.day} ${mark.kind} ${mark.text}`} appId={appId} mark={mark} />
        ))}
      </ul>
    </Dialog>
  );
}
