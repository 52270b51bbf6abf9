import type { JSX } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { Icon } from '../ui/icons.tsx';
import { MenuButton } from '../ui/menu.tsx';
import { Segments } from '../ui/segments.tsx';
import type { ChartChoice, ChartKind } from './choice.ts';
import type { ChartColumn, ChartRows } from './columns.ts';
import { colourOf, Drawing } from './Drawing.tsx';
import type { ChartData } from './data.ts';
import type { ChartPicture, PictureFormat } from './save.ts';
import { useChartData } from './use_chart_data.ts';

const KINDS: readonly { readonly id: ChartKind; readonly name: string }[] = [
  { id: 'bar', name: 'Bars' },
  { id: 'line', name: 'Line' },
  { id: 'scatter', name: 'Points' },
];

interface ViewProps {
  readonly rows: ChartRows;
  /** Another value when the rows are others. */
  readonly version: unknown;
  readonly columns: readonly ChartColumn[];
  readonly choice: ChartChoice;
  readonly title: string;
  /** Which rows of a table these are, where they are not all. */
  readonly cut: string | undefined;
  readonly onChoose: (choice: ChartChoice) => void;
  /** Asked once it is there. */
  readonly takesFocus: () => boolean;
  readonly onSave: (picture: ChartPicture, format: PictureFormat) => void;
}

/** A result as bars, lines or points, with the columns that they are made of above. */
export function ChartView(props: ViewProps): JSX.Element {
  const { rows, version, columns, choice, title, cut, takesFocus, onChoose, onSave } = props;
  const svg = useRef<SVGSVGElement>(null);
  const legend = useRef<HTMLUListElement>(null);
  const { data, isReading } = useChartData(rows, version, columns, choice);
  const measures = columns.filter(({ role }) => role !== 'text');
  const save = (format: PictureFormat) => {
    if (svg.current !== null) onSave({ svg: svg.current, legend: legend.current }, format);
  };
  return (
    <section class="chart" aria-label={`Chart of ${title}`} aria-busy={isReading}>
      <div class="chart-head">
        <Segments
          label="Kind of chart"
          options={KINDS}
          chosen={choice.kind}
          onChoose={kind => onChoose({ ...choice, kind })}
        />
        <ColumnField
          label="Show"
          columns={measures}
          chosen={choice.y}
          otherwise="number of rows"
          onChoose={y => onChoose({ ...choice, y })}
        />
        <ColumnField
          label="by"
          columns={columns}
          chosen={choice.x}
          onChoose={x => x !== undefined && onChoose({ ...choice, x })}
        />
        <ColumnField
          label="colours"
          columns={columns.filter(({ role, isName }) => role === 'text' || isName)}
          chosen={choice.colour}
          otherwise="none"
          onChoose={colour => onChoose({ ...choice, colour })}
        />
        {isReading && data !== undefined && <span class="spinner" />}
        <span class="spread" />
        <MenuButton
          class="button small quiet"
          label="Save the chart"
          align="end"
          groups={[
            {
              heading: 'Save the chart as',
              entries: [
                { label: 'SVG', icon: 'download', onSelect: () => save('svg') },
                { label: 'PNG', icon: 'download', onSelect: () => save('png') },
              ],
            },
          ]}
        >
          <Icon name="download" />
          <span class="roomy-only">Save</span>
        </MenuButton>
      </div>
      {data === undefined ? (
        <div class="empty">
          <span class="spinner" />
        </div>
      ) : (
        <>
          <Legend element={legend} data={data} />
          <Drawing svg={svg} data={data} title={title} takesFocus={takesFocus} />
          <Notes notes={[...(cut === undefined ? [] : [cut]), ...data.notes]} />
        </>
      )}
    </section>
  );
}

/** What is not drawn. */
function Notes({ notes }: { readonly notes: readonly string[] }): JSX.Element | null {
  return notes.length === 0 ? null : <p class="chart-notes muted">Drawn: {notes.join(', ')}.</p>;
}

interface FieldProps {
  readonly label: string;
  readonly columns: readonly ChartColumn[];
  readonly chosen: number | undefined;
  /** What no column means; a column must be chosen where there is nothing else. */
  readonly otherwise?: string;
  readonly onChoose: (column: number | undefined) => void;
}

function ColumnField({ label, columns, chosen, otherwise, onChoose }: FieldProps): JSX.Element {
  const id = useId();
  return (
    <span class="chart-field">
      <label for={id}>{label}</label>
      <select
        id={id}
        class="field"
        value={chosen === undefined ? '' : String(chosen)}
        onChange={({ currentTarget: { value } }) => onChoose(value === '' ? undefined : Number(value))}
      >
        {otherwise !== undefined && <option value="">{otherwise}</option>}
        {columns.map(({ index, name }) => (
          <option key={index} value={String(index)}>
            {name}
          </option>
        ))}
      </select>
    </span>
  );
}

interface LegendProps {
  readonly element: { current: HTMLUListElement | null };
  readonly data: ChartData;
}

function Legend({ element, data: { groups, hasOthers } }: LegendProps): JSX.Element | null {
  if (groups.length === 0) return null;
  return (
    <ul ref={element} class="chart-legend" aria-label="Colours">
      {groups.map((name, group) => (
        <li key={name}>
          <span class={`chart-swatch ${colourOf(group, hasOthers, groups.length)}`} />
          <span class="truncate">{name === '' ? 'empty' : name}</span>
        </li>
      ))}
    </ul>
  );
}
