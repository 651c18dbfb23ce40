import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { biddingQueries, type BiddingReplayed } from '@/data/administration-queries'
import { useFormBase } from '@/features/campaigns/form/campaign-form-context'
import { errorText } from '@/i18n/error-text'
import { formatCount, formatMinute, formatShare } from '@/i18n/format'
import { useDebounced } from '@/lib/use-debounced'
import { cn } from '@/lib/utils'
import { draftFaults, toEntries } from './draft.ts'
import type { Entries } from './entries.ts'
import { sentenceOf } from './sentence.ts'
import { useSentenceWords } from './use-sentences.ts'

/** Time without a change after which the entries are measured, milliseconds. */
const PAUSE_MS = 400

type LabPanelProps = { readonly entries: Entries; readonly onGoTo: (id: number) => void }

/** The entries as sentences, and what they do to the impressions that bidders sampled, before they are saved (fine print 103). */
export function LabPanel({ entries, onGoTo }: LabPanelProps) {
  const { t } = useTranslation('bidding')
  const { campaign } = useFormBase()
  const titleId = useId()
  const words = useSentenceWords()
  const text = JSON.stringify(toEntries(entries))
  const settled = useDebounced(text, PAUSE_MS)
  const isIncomplete = draftFaults(entries).length > 0
  const { data, error, isFetching } = useQuery(biddingQueries.replay(isIncomplete ? null : campaign, settled))
  const answer = data?.sample.enough === true ? data : undefined
  const isOutdated = isFetching || settled !== text || isIncomplete
  return (
    <section aria-labelledby={titleId} className="border-border bg-card rounded-lg border px-6 py-4">
      <h3 id={titleId} className="font-semibold">
        {t('lab.title')}
      </h3>
      <ol className="mt-2 flex list-decimal flex-col gap-1 pl-5">
        {entries.map((entry) => {
          const sentence = sentenceOf(entry, words)
          return (
            <li key={entry.id} className="marker:text-muted-foreground text-[0.8125rem]/4.5">
              <button
                type="button"
                aria-label={t('lab.goTo', { name: entry.name, sentence })}
                className="hover:text-primary focus-visible:ring-ring rounded-sm text-left wrap-anywhere underline decoration-dotted underline-offset-4 outline-none focus-visible:ring-2"
                onClick={() => onGoTo(entry.id)}
              >
                {sentence}
              </button>
              {answer !== undefined && <Decided answer={answer} id={entry.id} isOutdated={isOutdated} />}
            </li>
          )
        })}
      </ol>
      <p className="text-muted-foreground text-[0.8125rem]/4.5 mt-1">{t('lab.otherwise')}</p>
      <div aria-live="polite" className="border-border mt-3 border-t pt-3">
        {isIncomplete ? (
          <Note>{t('lab.incomplete')}</Note>
        ) : campaign === null ? (
          <Note>{t('lab.new')}</Note>
        ) : error !== null ? (
          <Note>{t('lab.failed', { reason: errorText(error) })}</Note>
        ) : data === undefined ? (
          <Note>{t('lab.measuring')}</Note>
        ) : (
          <Measured answer={data} isOutdated={isOutdated} />
        )}
      </div>
    </section>
  )
}

const Note = ({ children }: { readonly children: string }) => (
  <p className="text-muted-foreground text-[0.8125rem]/4.5">{children}</p>
)

type MeasuredProps = { readonly answer: BiddingReplayed; readonly isOutdated: boolean }

function Measured({ answer: { sample, saved, unsaved }, isOutdated }: MeasuredProps) {
  const { t } = useTranslation('bidding')
  const count = sample.impressions
  const formatted = formatCount(count)
  if (count === 0) return <Note>{t('lab.none')}</Note>
  if (!sample.enough) return <Note>{t('lab.few', { count, formatted })}</Note>
  const shareOf = (part: number) => formatShare((part / count) * 100)
  const shares = { share: shareOf(unsaved.matched), saved: shareOf(saved.matched) }
  const without = { share: shareOf(count - unsaved.bids), saved: shareOf(count - saved.bids) }
  const times = { oldest: formatMinute(sample.oldest_at ?? ''), newest: formatMinute(sample.newest_at ?? '') }
  return (
    <div className={cn('flex flex-col gap-1 transition-opacity', isOutdated && 'opacity-60')}>
      <p className="font-medium">
        {t('lab.summary', {
          matches: t(shares.share === shares.saved ? 'lab.matches' : 'lab.matchesSaved', shares),
          bid: bidText(saved.average_multiplier, unsaved.average_multiplier, t),
        })}
      </p>
      {saved.bids + unsaved.bids < 2 * count && <p className="text-[0.8125rem]/4.5">{t('lab.noBidOn', without)}</p>}
      <Note>{t('lab.sample', { count, formatted, ...times })}</Note>
    </div>
  )
}

type Translate = ReturnType<typeof useTranslation<'bidding'>>['t']

/** The change of the average bid: the base bid is the same before and after, so it is that of the mean multiplier. */
function bidText(before: number | null, after: number | null, t: Translate): string {
  if (after === null) return t('lab.bidNone')
  const change = ((after - (before ?? 1)) / (before ?? 1)) * 100
  const shown = formatShare(Math.abs(change))
  if (shown === formatShare(0)) return t('lab.bidSame')
  return t('lab.bidChange', { change: `${change > 0 ? '+' : '−'}${shown}` })
}

type DecidedProps = { readonly answer: BiddingReplayed; readonly id: number; readonly isOutdated: boolean }

/** The part of the sample that an entry decides. */
function Decided({ answer: { sample, saved, unsaved }, id, isOutdated }: DecidedProps) {
  const { t } = useTranslation('bidding')
  const partOf = ({ entries }: BiddingReplayed['saved']) => entries.find((one) => one.id === id)?.decided ?? 0
  const shareOf = (part: number) => formatShare((part / sample.impressions) * 100)
  const shares = { share: shareOf(partOf(unsaved)), saved: shareOf(partOf(saved)) }
  return (
    <span className={cn('text-muted-foreground ml-2 whitespace-nowrap tabular-nums', isOutdated && 'opacity-60')}>
      {t(shares.share === shares.saved ? 'lab.decides' : 'lab.decidesSaved', shares)}
    </span>
  )
}
