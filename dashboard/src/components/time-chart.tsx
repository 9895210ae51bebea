// A chart over time: lines or stacked bars, with an axis, a reading on hover, and the exact numbers in a table beside it.

import { max } from 'd3-array';
import { scaleBand, scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { cn } from './class-names.ts';

export type Series = {
  name: string;
  values: (number | null)[];
  tone: 'accent' | 'danger' | 'warning' | 'success' | 'faint';
};

type TimeChartProps = {
  label: string;
  kind: 'bars' | 'lines';
  /** The start of each interval, RFC 3339. */
  starts: string[];
  series: Series[];
  format?: (value: number) => string;
  formatStart?: (iso: string) => string;
  height?: number;
  /** A click on an interval: for a zoom or a filtered list. */
  onSelect?: (start: string) => void;
};

const LEFT = 44;
const BOTTOM = 22;
const TOP = 8;
const RIGHT = 8;
const fills = {
  accent: 'fill-accent',
  danger: 'fill-danger',
  warning: 'fill-warning',
  success: 'fill-success',
  faint: 'fill-faint',
};
const strokes = {
  accent: 'stroke-accent',
  danger: 'stroke-danger',
  warning: 'stroke-warning',
  success: 'stroke-success',
  faint: 'stroke-faint',
};
const plain = (value: number) => value.toLocaleString('en');
const shortTime = (iso: string) => iso.slice(5, 16).replace('T', ' ');

export function TimeChart({
  label,
  kind,
  starts,
  series,
  format = plain,
  formatStart = shortTime,
  height = 200,
  onSelect,
}: TimeChartProps) {
  const [frame, width] = useWidth();
  const [hovered, setHovered] = useState<number | null>(null);
  const x = scaleBand(starts.map(String), [LEFT, Math.max(LEFT + 1, width - RIGHT)]).padding(kind === 'bars' ? 0.2 : 0);
  const top = max(starts, (_, index) => topOf(series, index, kind)) ?? 0;
  const y = scaleLinear([0, Math.max(1, top)], [height - BOTTOM, TOP]).nice(4);
  const indexAt = (event: PointerEvent<SVGSVGElement>) => {
    const offset = event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT;
    const index = Math.floor(offset / x.step());
    return index >= 0 && index < starts.length ? index : null;
  };
  const hoveredStart = hovered === null ? undefined : starts[hovered];
  return (
    <figure ref={frame} className="relative min-w-0" aria-label={label}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the table beside it has the same numbers and links */}
      <svg
        role="img"
        aria-label={`${label}, drawn over time`}
        width={width}
        height={height}
        onPointerMove={(event) => setHovered(indexAt(event))}
        onPointerLeave={() => setHovered(null)}
        onClick={() => hoveredStart && onSelect?.(hoveredStart)}
        className={cn('block', onSelect && 'cursor-pointer')}
      >
        {y.ticks(4).map((tick) => (
          <g key={tick}>
            <line x1={LEFT} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} className="stroke-line" />
            <text x={LEFT - 8} y={y(tick)} dy="0.32em" textAnchor="end" className="fill-faint text-2xs">
              {format(tick)}
            </text>
          </g>
        ))}
        {labelled(starts, width).map((start) => (
          <text
            key={start}
            x={(x(start) ?? 0) + x.bandwidth() / 2}
            y={height - 6}
            textAnchor="middle"
            className="fill-faint text-2xs"
          >
            {formatStart(start)}
          </text>
        ))}
        {hoveredStart !== undefined && (
          <rect
            x={x(hoveredStart)}
            width={x.bandwidth()}
            y={TOP}
            height={height - BOTTOM - TOP}
            className="fill-hover"
          />
        )}
        {kind === 'bars' ? <Bars {...{ starts, series, x, y }} /> : <Lines {...{ starts, series, x, y }} />}
      </svg>
      {hovered !== null && hoveredStart !== undefined && (
        <Reading
          start={formatStart(hoveredStart)}
          index={hovered}
          left={(x(hoveredStart) ?? 0) + x.bandwidth() / 2}
          {...{ series, format, width }}
        />
      )}
    </figure>
  );
}

type Drawn = {
  starts: string[];
  series: Series[];
  x: ReturnType<typeof scaleBand<string>>;
  y: ReturnType<typeof scaleLinear<number, number>>;
};

function Bars({ starts, series, x, y }: Drawn) {
  return starts.map((start, index) => {
    let below = 0;
    return series.map(({ name, values, tone }) => {
      const value = values[index] ?? 0;
      const from = y(below);
      below += value;
      const height = from - y(below);
      return value === 0 ? null : (
        <rect
          key={name}
          x={x(start)}
          width={x.bandwidth()}
          y={y(below)}
          height={Math.max(1, height)}
          rx={1}
          className={fills[tone]}
        />
      );
    });
  });
}

function Lines({ starts, series, x, y }: Drawn) {
  const center = (index: number) => (x(starts[index] ?? '') ?? 0) + x.bandwidth() / 2;
  return series.map(({ name, values, tone }) => {
    const shape = line<number | null>(
      (_, index) => center(index),
      (value) => y(value ?? 0),
    ).defined((value) => value !== null);
    return (
      <g key={name}>
        <path d={shape(values) ?? ''} fill="none" strokeWidth={1.5} strokeLinejoin="round" className={strokes[tone]} />
        {/* An interval between two without data has no line. */}
        {values.map((value, index) =>
          value !== null && values[index - 1] == null && values[index + 1] == null ? (
            <circle key={starts[index]} cx={center(index)} cy={y(value)} r={2} className={fills[tone]} />
          ) : null,
        )}
      </g>
    );
  });
}

function Reading({
  start,
  index,
  left,
  series,
  format,
  width,
}: {
  start: string;
  index: number;
  left: number;
  series: Series[];
  format: (value: number) => string;
  width: number;
}) {
  const side = left > width / 2 ? '-translate-x-full -ml-3' : 'ml-3';
  return (
    <div
      className={cn(
        'pointer-events-none absolute top-2 z-10 rounded-md border border-line bg-raised px-2.5 py-1.5 text-xs shadow-pop',
        side,
      )}
      style={{ left }}
    >
      <div className="mb-1 text-muted">{start}</div>
      {series.map(({ name, values, tone }) => (
        <div key={name} className="flex items-center gap-2 whitespace-nowrap">
          <svg aria-hidden className={cn('size-2', fills[tone])}>
            <circle cx={4} cy={4} r={4} />
          </svg>
          <span className="flex-1">{name}</span>
          <span className="pl-3 font-medium tabular-nums">{values[index] == null ? '–' : format(values[index])}</span>
        </div>
      ))}
    </div>
  );
}

function topOf(series: Series[], index: number, kind: 'bars' | 'lines'): number {
  const values = series.map(({ values }) => values[index] ?? 0);
  return kind === 'bars' ? values.reduce((sum, value) => sum + value, 0) : Math.max(0, ...values);
}

/** As many labels as fit. */
function labelled(starts: string[], width: number): string[] {
  const step = Math.max(1, Math.ceil(starts.length / Math.max(1, Math.floor((width - LEFT) / 96))));
  return starts.filter((_, index) => index % step === Math.floor(step / 2));
}

function useWidth(): [ref: (element: HTMLElement | null) => void, width: number] {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [width, setWidth] = useState(640);
  const observer = useRef<ResizeObserver>(null);
  useEffect(() => {
    if (!element) return;
    observer.current = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width));
    observer.current.observe(element);
    return () => observer.current?.disconnect();
  }, [element]);
  return [setElement, width];
}
