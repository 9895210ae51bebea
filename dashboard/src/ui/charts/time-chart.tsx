// A chart over time: lines or stacked bars, with an axis, a reading on hover, and the exact numbers in a table below it.

import { max } from 'd3-array';
import { scaleBand, scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { cn } from '../class-names.ts';

export type Series = {
  name: string;
  values: (number | null)[];
  tone: 'accent' | 'danger' | 'warning' | 'success' | 'faint';
  /** In a chart of bars: drawn as a line over them, such as the period before. */
  isLine?: boolean;
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
  /** Dragging over several intervals; both are included. */
  onZoom?: (first: string, last: string) => void;
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
/** Longer numbers have no room at the axis. */
const COMPACT_FROM = 100_000;
const compact = new Intl.NumberFormat('en', { notation: 'compact' });
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
  onZoom,
}: TimeChartProps) {
  const [frame, width] = useWidth();
  const [hovered, setHovered] = useState<number | null>(null);
  const [pressed, setPressed] = useState<number | null>(null);
  const release = () => {
    if (pressed === null || hovered === null) return;
    const [first, last] = [starts[Math.min(pressed, hovered)], starts[Math.max(pressed, hovered)]];
    setPressed(null);
    if (first === undefined || last === undefined) return;
    if (pressed === hovered) onSelect?.(first);
    else onZoom?.(first, last);
  };
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
      <svg
        role="img"
        aria-label={`${label}, drawn over time`}
        height={height}
        onPointerMove={(event) => setHovered(indexAt(event))}
        onPointerLeave={() => {
          setHovered(null);
          setPressed(null);
        }}
        onPointerDown={(event) => {
          // A tap has no move before it.
          setHovered(indexAt(event));
          setPressed(indexAt(event));
        }}
        onPointerUp={release}
        // The width of the frame counts, not the one that was measured last: that may be wider than the screen is now.
        className={cn('block w-full select-none', onZoom ? 'touch-pan-y' : '', onSelect && 'cursor-pointer')}
      >
        {ticksOf(y, kind).map((tick) => (
          <g key={tick}>
            <line x1={LEFT} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} className="stroke-line" />
            <text x={LEFT - 8} y={y(tick)} dy="0.32em" textAnchor="end" className="fill-faint text-2xs">
              {tick < COMPACT_FROM ? format(tick) : compact.format(tick)}
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
        <Highlight first={starts[pressed ?? hovered ?? -1]} last={hoveredStart} {...{ x, height }} />
        {kind === 'bars' && <Bars {...{ starts, series: series.filter(({ isLine }) => !isLine), x, y }} />}
        <Lines {...{ starts, series: series.filter(({ isLine }) => isLine || kind === 'lines'), x, y }} />
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

/** The interval below the pointer, or those that it was dragged over. */
function Highlight({ first, last, x, height }: Pick<Drawn, 'x'> & HighlightProps) {
  const [from, to] = [x(first ?? ''), x(last ?? '')];
  if (from === undefined || to === undefined) return null;
  return (
    <rect
      x={Math.min(from, to)}
      width={Math.abs(to - from) + x.bandwidth()}
      y={TOP}
      height={height - BOTTOM - TOP}
      className={from === to ? 'fill-hover' : 'fill-accent-soft'}
    />
  );
}

type HighlightProps = { first: string | undefined; last: string | undefined; height: number };

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
  const isStacked = ({ isLine }: Series) => kind === 'bars' && !isLine;
  const at = ({ values }: Series) => values[index] ?? 0;
  const stacked = series.filter(isStacked).reduce((sum, each) => sum + at(each), 0);
  return Math.max(stacked, ...series.filter((each) => !isStacked(each)).map(at));
}

/** Bars are counts: half a call does not exist. */
function ticksOf(y: Drawn['y'], kind: 'bars' | 'lines'): number[] {
  const ticks = y.ticks(4);
  return kind === 'bars' ? ticks.filter(Number.isInteger) : ticks;
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
