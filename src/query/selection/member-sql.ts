import { type MemberCondition, membershipKey } from './conditions.ts';

export const memberTables = (membership: string) => ({
  named: `"members ${membership}"`,
  anonymous: `"devices of members ${membership}"`,
  moments: `"moments of members ${membership}"`,
});

/** For a row as it was written: whether its device's later user counts. */
export const IS_DEVICE = 'is_anonymous AND anonymous_id = person_id';
export const ROW_COLUMNS = ['person_key', 'is_anonymous', 'anonymous_id', 'person_id'];

const isIn = (values: string, table: string): string => `${values} IN (FROM ${table})`;

/** On rows as they were written, before aliases are joined. */
export function memberSql(condition: MemberCondition): { columns: string[]; condition: string } {
  const { named, anonymous, moments } = memberTables(membershipKey(condition));
  const not = condition.is ? '' : 'NOT ';
  if (condition.asOf === 'event') {
    const moment = `(person_key, ${IS_DEVICE}, occurred_at)`;
    const columns = [...ROW_COLUMNS, 'occurred_at'];
    return { columns, condition: `${not}${isIn(moment, moments)}` };
  }
  const [ofDevice, ofUser] = [isIn('person_key', anonymous), isIn('person_key', named)];
  const isMember = `CASE WHEN ${IS_DEVICE} THEN ${ofDevice} ELSE ${ofUser} END`;
  return { columns: ROW_COLUMNS, condition: `${not}(${isMember})` };
}
