import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReportChanges } from '#contract/account-reports'
import type { Plot } from '@/components/charts/chart-geometry'
import { usePopup } from '@/lib/use-popup'
import type { Step } from './report-parts.ts'
import { pointName } from './report-points.ts'
import { reportQueries } from './report-queries.ts'
import type { ReportView } from './use-report.ts'

const load = () => import('./changes-panel.tsx')
const ChangesPanel = lazy(async () => ({ default: (await load()).ChangesPanel }))

/** Size of a marker as a target, in pixels (WCAG 2.5.8). */
const TARGET = 24

type Changes = ReportChanges['points'][number]

/** Marks of the hours or days in which users changed the campaigns, on the time axis. Marks that would overlap become one. */
export function ChangeMarkers({ report, plot, step }: { readonly report: ReportView; readonly plot: Plot; readonly step: Step }) {
  const { scope, range, points, zone } = report
  const { data = [] } = useQuery(reportQueries.changes(scope, range, step, zone))
  const indexes = new Map(points.map(({ at }, index) => [at, index]))
  const marks = data.flatMap((changes) => {
    const index = indexes.get(changes.name)
    return index === undefined ? [] : [{ x: plot.x(index), changes: [changes] }]
  })
  return groupOf(marks).map(({ x, changes }) => (
    <Marker key={changes[0]?.name} x={plot.left + x} y={plot.top + plot.height} changes={changes} step={step} />
  ))
}

type Mark = { readonly x: number; readonly changes: readonly Changes[] }

function groupOf(marks: readonly Mark[]): readonly Mark[] {
  const groups: Mark[] = []
  for (const mark of marks) {
    const last = groups.at(-1)
    if (last !== undefined && mark.x - last.x < TARGET)
      groups[groups.length - 1] = { x: last.x, changes: [...last.changes, ...mark.changes] }
    else groups.push(mark)
  }
  return groups
}

type MarkerProps = {
  /** The middle of the marker, in pixels. */
  readonly x: number
  readonly y: number
  readonly changes: readonly Changes[]
  readonly step: Step
}

function Marker({ x, y, changes, step }: MarkerProps) {
  const { t } = useTranslation('reports')
  const { shown, trigger, popup } = usePopup('dialog', load)
  const count = changes.reduce((sum, one) => sum + one.count, 0)
  const [first] = changes
  const last = changes.at(-1)
  if (first === undefined || last === undefined) return null
  const period = [...new Set([pointName(first.name, step), pointName(last.name, step)])].join(' – ')
  return (
    <>
      <button
        type="button"
        {...trigger}
        aria-label={t('changes.mark', { count, period })}
        className="group absolute grid size-6 -translate-1/2 place-items-center rounded-full"
        style={{ left: x, top: y }}
      >
        <span
          aria-hidden
          className="border-card bg-muted-foreground group-hover:bg-foreground size-2.5 rotate-45 rounded-[2px] border-2 box-content"
        />
      </button>
      {shown && (
        <Suspense>
          <ChangesPanel popup={popup} changes={changes} step={step} />
        </Suspense>
      )}
    </>
  )
}
