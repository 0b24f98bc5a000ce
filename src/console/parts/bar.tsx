/** The ends of an interval and the line between them, at places of a picture 1000 wide and 20 high. */
export const Interval = ({ low, high }: { low: number; high: number }) => (
  <path
    class="whisker"
    vector-effect="non-scaling-stroke"
    fill="none"
    d={`M${low} 5V15M${low} 10H${high}M${high} 5V15`}
  />
);

/** A bar from zero to `value` of 1, with the ends of its interval. Widths are per mille. */
export function Bar(props: { value: number; low?: number | null; high?: number | null }) {
  const place = (share: number) => Math.round(Math.min(Math.max(share, 0), 1) * 1_000);
  const { low = null, high = null } = props;
  return (
    <svg class="bar" viewBox="0 0 1000 20" preserveAspectRatio="none" aria-hidden="true">
      <rect class="ground" width="1000" height="20" />
      <rect class="value" width={place(props.value)} height="20" />
      {low !== null && high !== null && <Interval low={place(low)} high={place(high)} />}
    </svg>
  );
}
