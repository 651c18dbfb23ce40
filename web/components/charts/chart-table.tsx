import { textOf } from './chart-tooltip.tsx'
import type { ChartPoint, Series } from './series.ts'

type ChartTableProps = {
  readonly title: string
  /** Heading of the points. */
  readonly pointLabel: string
  readonly points: readonly ChartPoint[]
  readonly series: readonly Series[]
}

/** The figures of a chart as a table: the same for everyone who does not read the drawing. */
export function ChartTable({ title, pointLabel, points, series }: ChartTableProps) {
  return (
    <table className="w-full text-[0.8125rem]/4.5 tabular-nums">
      <caption className="sr-only">{title}</caption>
      <thead className="bg-card sticky top-0">
        <tr className="border-border border-b">
          <th scope="col" className="text-muted-foreground py-2 pr-4 text-left font-medium">
            {pointLabel}
          </th>
          {series.map(({ id, label }) => (
            <th key={id} scope="col" className="text-muted-foreground py-2 pl-4 text-right font-medium">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {points.map(({ key, label }, index) => (
          <tr key={key} className="border-border border-b last:border-b-0">
            <th scope="row" className="py-1.5 pr-4 text-left font-normal">
              {label}
            </th>
            {series.map((one) => (
              <td key={one.id} className="py-1.5 pl-4 text-right">
                {textOf(one, index)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
