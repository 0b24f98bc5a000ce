import { isReserved, type Section } from '../../../event-store/projections.ts';
import type { EnvironmentScope } from '../../../shared/environment.ts';
import type { RowTest } from '../../selection/row-test.ts';
import { inScope } from '../source/files.ts';
import { RowMatcher } from './row-matcher.ts';
import { SectionReader } from './rows.ts';
import type { CountedPart } from './share.ts';

export type SectionRows = {
  section: Section;
  reader: SectionReader;
  matcher: RowMatcher | null;
};

type Wanted = {
  environment: EnvironmentScope;
  has: (section: Section) => boolean;
  test: RowTest | null;
};

export const isNamed = (
  names: readonly string[] | null,
  { name }: Pick<Section, 'name'>,
): boolean => (names === null ? !isReserved(name) : names.includes(name));

export function wantedSections(
  part: CountedPart,
  { environment, has, test }: Wanted,
): SectionRows[] {
  const { projection } = part;
  return projection.sections.flatMap((section) => {
    if (section.rows === 0 || !inScope(environment, section) || !has(section)) return [];
    const matcher = RowMatcher.of(test, section, part);
    if (matcher === false) return [];
    const reader = new SectionReader(section, projection.baseUs);
    return [{ section, reader, matcher: matcher === true ? null : matcher }];
  });
}
