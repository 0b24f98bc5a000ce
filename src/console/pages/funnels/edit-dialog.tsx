import { Dialog } from '../../parts/dialog.tsx';
import { Loaded, Skeleton } from '../../parts/states.tsx';
import { useModule } from '../../parts/use-module.ts';
import type { Query } from '../../state/query.ts';
import { controls } from '../../texts/controls.ts';
import { funnels as t } from '../../texts/funnels.ts';
import type { Funnel } from '../../state/funnels.ts';

const load = () => import('./by-use.ts');

export function EditDialog(props: {
  appId: string;
  edited: string | undefined;
  funnels: Query<Funnel[]>;
  onSaved: (saved: Funnel) => void;
  onDeleted: () => void;
  onClose: () => void;
}) {
  const { appId, edited, funnels } = props;
  const { module: editor, isMissing } = useModule(load, edited !== undefined);
  const funnel = funnels.value.data?.find(({ id }) => id === edited);
  const close = () => edited !== undefined && props.onClose();
  return (
    <Dialog
      title={edited === 'new' ? t.editor.newTitle : t.editor.title}
      isOpen={edited !== undefined}
      onClose={close}
      isWide
      class="funnel-editor"
    >
      {isMissing && <p class="quiet">{controls.notLoaded}</p>}
      <Loaded query={funnels} skeleton={<Skeleton />}>
        {() =>
          editor ? (
            <editor.FunnelEditor
              key={edited}
              {...{ appId, funnel }}
              onSaved={props.onSaved}
              onDeleted={props.onDeleted}
              onCancel={close}
            />
          ) : (
            <Skeleton />
          )
        }
      </Loaded>
    </Dialog>
  );
}
