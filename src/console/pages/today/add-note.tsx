import * as icons from '../../parts/icons.ts';
import { Popover } from '../../parts/popover.tsx';
import { useModule } from '../../parts/use-module.ts';
import { whyNotManage } from '../../state/session.ts';
import { controls } from '../../texts/controls.ts';
import { notes as t } from '../../texts/notes.ts';

const loadForm = () => import('./by-use.ts');

type Props = { appId: string; day: string; onSaved: () => void };

function Opened(props: Props) {
  const { module, isMissing } = useModule(loadForm);
  if (module) return <module.NoteForm {...props} />;
  return <p aria-busy={!isMissing}>{isMissing ? controls.notLoaded : controls.picker.loading}</p>;
}

export const AddNote = (props: Omit<Props, 'onSaved'>) => (
  <Popover
    label={t.add}
    class="note-panel"
    placement="bottom-end"
    button={{
      class: 'ghost compact',
      icon: icons.note,
      text: t.add,
      disabledWhy: whyNotManage.value,
    }}
  >
    {(close) => <Opened {...props} onSaved={close} />}
  </Popover>
);
