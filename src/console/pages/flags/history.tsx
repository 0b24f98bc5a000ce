import type { Flag } from '../../../../clients/api/src/index.ts';
import { ListCard } from '../../parts/list-card.tsx';
import { api } from '../../state/api.ts';
import { useApi } from '../../state/use-api.ts';
import { flags as t } from '../../texts/flags.ts';
import { Reasoned } from './reasoned.tsx';
import { sentencesOf } from './sentence-texts.ts';
import { Sentences } from './sentences.tsx';

export function History({ flag }: { flag: Flag }) {
  const { id, appId, version } = flag;
  const versions = useApi(api.listFlagVersions, { id: appId, flagId: id });
  const members = useApi(api.listMembers);
  const nameOf = ({ kind, id: by }: { kind: string; id: string }): string => {
    if (kind === 'orgKey') return t.aKey;
    return members.value.data?.find(({ userId }) => userId === by)?.name ?? by;
  };
  return (
    <ListCard
      title={t.history}
      query={versions}
      count={null}
      csvName="history"
      keyOf={(one) => String(one.version)}
      columns={[
        { label: t.version, number: true, show: (one) => one.version, narrow: true },
        {
          label: t.what,
          show: (one) => t.acts[one.act],
          second: ({ why }) => why,
          narrow: true,
        },
        {
          label: t.rules,
          show: (one) => <Sentences flag={one} />,
          plain: (one) => sentencesOf(one).join(' '),
        },
        { label: t.who, show: (one) => nameOf(one.by) },
        { label: t.when, at: (one) => one.at, narrow: true },
        {
          label: t.restore,
          isAct: true,
          narrow: true,
          show: (one) =>
            one.version === version ? null : (
              <Reasoned
                button={t.restore}
                title={t.restoreNamed(one.version)}
                text={t.restoreMeans}
                act={(reason) =>
                  api.restoreFlag({
                    ...{ id: appId, flagId: id, body: { version: one.version, ...reason } },
                  })
                }
              />
            ),
        },
      ]}
    />
  );
}
