/** Figures of smaller groups are withheld. */
export const MINIMUM_PEOPLE = 50;
