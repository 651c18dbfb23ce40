import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RevisionLine } from '#contract/audit'
import { HoverTip } from '@/components/hover-tip'
import { LoadError } from '@/components/load-error'
import { Input } from '@/components/ui/input'
import { campaignQueries } from '@/data/campaign-queries'
import { formatMinute } from '@/i18n/format'
import { Lines } from '../change-log/as-was-dialog.tsx'
import { grouped, untouched } from '../change-log/field-changes.ts'
import { authorName, groupLabel, pathLabel } from '../change-log/log-labels.ts'
import { sayChange } from '../change-log/said-change.ts'
import { SaidValue } from '../change-log/said-value.tsx'
import { useNames } from '../change-log/use-names.ts'
import { blameOf, cursorOf, type Cursor } from './timeline-model.ts'
import { timelineQueries } from './timeline-queries.ts'

type BlamedStateProps = {
  readonly campaign: string
  readonly revision: number
  readonly index: readonly RevisionLine[]
  readonly onMove: (cursor: Cursor) => void
}

/** Every field of a revision, with the revision that set it. */
export function BlamedState({ campaign, revision, index, onMove }: BlamedStateProps) {
  const { t } = useTranslation('timeline')
  const id = useId()
  const [wanted, setWanted] = useState('')
  const state = useQuery(campaignQueries.at(campaign, revision))
  const blame = useQuery(timelineQueries.blame(campaign, revision)).data ?? []
  const fields = useMemo(() => (state.data === undefined ? [] : untouched(state.data.state, [])), [state.data])
  const names = useNames(fields)
  const newest = index[0]?.revision ?? revision
  const text = wanted.trim().toLowerCase()
  const found = text === '' ? fields : fields.filter(({ path }) => pathLabel(path).toLowerCase().includes(text))
  return (
    <section aria-labelledby={`${id}-title`} className="border-border bg-card min-w-0 rounded-lg border">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 pt-4 pb-2">
        <div className="min-w-0 grow">
          <h2 id={`${id}-title`} className="text-[15px]/6 font-semibold">
            {t('state.title')}
          </h2>
          <p className="text-muted-foreground text-xs">
            {newest === revision ? t('state.same') : t('state.older', { count: newest - revision })}
          </p>
        </div>
        <div className="relative w-56">
          <Search aria-hidden className="text-muted-foreground pointer-events-none absolute top-2.5 left-3 size-4" />
          <Input
            type="search"
            aria-label={t('state.find')}
            placeholder={t('state.find')}
            value={wanted}
            onChange={({ target }) => setWanted(target.value)}
            className="pl-9"
          />
        </div>
      </div>
      <div className="flex flex-col gap-5 px-5 pt-2 pb-5">
        {state.data === undefined ? (
          state.error === null ? (
            <Lines />
          ) : (
            <LoadError title={t('change.error')} error={state.error} onRetry={() => void state.refetch()} />
          )
        ) : found.length === 0 ? (
          <output className="text-muted-foreground">{t('state.noField')}</output>
        ) : (
          grouped(found).map(({ group, changes }, place) => (
            <section key={group ?? 'other'} aria-labelledby={`${id}-${place}`}>
              <h3 id={`${id}-${place}`} className="text-muted-foreground mb-1 text-xs font-semibold">
                {groupLabel(group)}
              </h3>
              <dl className="text-[0.8125rem]/4.5">
                {changes.map((field) => {
                  const line = blameOf(blame, field.path)
                  const by = line === undefined ? undefined : index.find((one) => one.revision === line.revision)
                  return (
                    <div
                      key={field.path}
                      data-testid={`state-${field.path}`}
                      className="border-border hover:bg-muted/50 -mx-2 flex items-start gap-4 border-b px-2 py-1 [contain-intrinsic-size:auto_33px] [content-visibility:auto] last:border-0 focus-within:bg-muted/50"
                    >
                      <dt className="w-56 shrink-0 py-1 font-medium break-words max-xl:w-44">{pathLabel(field.path)}</dt>
                      <dd className="min-w-0 grow">
                        <SaidValue said={sayChange(field, names)} side="after" quiet />
                      </dd>
                      {by !== undefined && <SetBy line={by} onMove={onMove} />}
                    </div>
                  )
                })}
              </dl>
            </section>
          ))
        )}
      </div>
    </section>
  )
}

/** Author of a field; leads to that moment. */
function SetBy({ line, onMove }: { readonly line: RevisionLine; readonly onMove: (cursor: Cursor) => void }) {
  const { t } = useTranslation('timeline')
  const author = authorName(line)
  const sentence = t('state.set', { author, date: formatMinute(line.commit_date), revision: line.revision })
  return (
    <dd className="w-40 shrink-0 py-0.5 text-right max-sm:w-24">
      <HoverTip text={sentence}>
        <button
          type="button"
          onClick={() => onMove(cursorOf(line))}
          className="text-muted-foreground hover:text-foreground inline-block min-h-6 max-w-full truncate rounded-[3px] text-xs tabular-nums hover:underline"
        >
          {t('state.setShort', { author, revision: line.revision })}
          <span className="sr-only">{`. ${sentence}`}</span>
        </button>
      </HoverTip>
    </dd>
  )
}
