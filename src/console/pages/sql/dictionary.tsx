import { Card } from '../../parts/card.tsx';
import { Loaded } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { useApi } from '../../state/use-api.ts';
import { sql as t } from '../../texts/sql.ts';

export function Dictionary({ onAdd }: { onAdd: (name: string) => void }) {
  const views = useApi(api.listSqlViews);
  const named = (name: string) => (
    <button
      type="button"
      class="ghost compact"
      aria-label={t.add(name)}
      onClick={() => onAdd(name)}
    >
      <code>{name}</code>
    </button>
  );
  return (
    <Card title={t.views} class="sql-views">
      <Loaded query={views}>
        {(all) =>
          all.map(({ name, meaning, columns }) => (
            <details key={name}>
              <summary>
                <code>{name}</code> <span class="quiet">{meaning}</span>
              </summary>
              <dl>
                <dt>{named(name)}</dt>
                <dd />
                {columns.map((column) => [
                  <dt key={column.name}>
                    {named(column.name)} <small class="quiet">{column.type}</small>
                  </dt>,
                  <dd key={`${column.name} means`}>{column.meaning}</dd>,
                ])}
              </dl>
            </details>
          ))
        }
      </Loaded>
    </Card>
  );
}
