// A line without axes, for a row of a table. The exact numbers are in its name.

import { max } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { area, curveMonotoneX, line } from 'd3-shape';

const WIDTH = 88;
const HEIGHT = 24;

export function Sparkline({ values, label }: { values: number[]; label: string }) {
  const x = scaleLinear([0, Math.max(1, values.length - 1)], [1, WIDTH - 1]);
  const y = scaleLinear([0, Math.max(1, max(values) ?? 0)], [HEIGHT - 2, 2]);
  const shape = line<number>(
    (_, index) => x(index),
    (value) => y(value),
  ).curve(curveMonotoneX);
  const fill = area<number>(
    (_, index) => x(index),
    HEIGHT - 1,
    (value) => y(value),
  ).curve(curveMonotoneX);
  const isFlat = values.every((value) => value === 0);
  return (
    <svg
      role="img"
      aria-label={label}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="block"
    >
      <title>{label}</title>
      {!isFlat && <path d={fill(values) ?? ''} className="fill-accent/10" />}
      <path
        d={shape(values) ?? ''}
        fill="none"
        strokeWidth={1.5}
        strokeLinecap="round"
        className={isFlat ? 'stroke-line-strong' : 'stroke-accent'}
      />
    </svg>
  );
}
