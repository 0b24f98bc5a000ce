import type { Flag } from '../../../../clients/api/src/index.ts';
import { api } from '../../state/api.ts';
import { flags as t } from '../../texts/flags.ts';
import { Reasoned } from './reasoned.tsx';

export function Switch({ flag }: { flag: Flag }) {
  const { id, appId, key, isOn, version, offVariant } = flag;
  const act = isOn ? t.switchOff : t.switchOn;
  return (
    <Reasoned
      button={act}
      title={t.named(act, key)}
      text={isOn ? t.offMeans(offVariant) : t.onMeans}
      danger={isOn}
      act={(reason) =>
        api.updateFlag({ id: appId, flagId: id, body: { isOn: !isOn, version, ...reason } })
      }
    />
  );
}
