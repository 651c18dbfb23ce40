import { Check, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { BiddingExplained } from '@/data/administration-queries'
import { cn } from '@/lib/utils'
import { useWords } from './use-words.ts'

type Impression = BiddingExplained['impressions'][number]
type Entry = Impression['entries'][number]
type Group = Entry['rules']

export function ExplainResult({ answer }: { readonly answer: BiddingExplained }) {
  const { t } = useTranslation('bidding')
  return (
    <div className="flex flex-col gap-5">
      {answer.impressions.map((impression) => (
        <section key={impression.imp_id} className="flex flex-col gap-2">
          <h3 className="text-muted-foreground text-[0.8125rem]/4.5">{t('explain.impression', { id: impression.imp_id })}</h3>
          <Outcome impression={impression} />
          <ol className="border-border divide-border rounded-md divide-y border">
            {impression.entries.map((entry) => (
              <li key={entry.id} className="px-3 py-2">
                <EntryVerdict entry={entry} decides={impression.entry} />
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  )
}

function Outcome({ impression: { entry, entries, multiplier, bids } }: { readonly impression: Impression }) {
  const { t } = useTranslation('bidding')
  const name = entries.find(({ id }) => id === entry)?.name
  if (name === undefined) return <p className="font-medium">{t('explain.noMatch')}</p>
  return <p className="font-medium">{bids ? t('explain.bid', { name, multiplier }) : t('explain.noBid', { name })}</p>
}

function EntryVerdict({ entry, decides }: { readonly entry: Entry; readonly decides: number | null }) {
  const { t } = useTranslation('bidding')
  const { holds } = entry.rules
  return (
    <>
      <p className="text-[0.8125rem]/4.5 flex items-center gap-2">
        <Mark holds={holds} />
        <span className="font-medium">{entry.name}</span>
        <span className="text-muted-foreground">
          {t(!holds ? 'explain.misses' : entry.id === decides ? 'explain.matches' : 'explain.later')} · × {entry.multiplier}
        </span>
      </p>
      {entry.rules.rules.length > 0 && <GroupVerdict group={entry.rules} />}
    </>
  )
}

/** Nested groups show their own verdict in their head. The root group's verdict is the entry's. */
function GroupVerdict({ group, judged = false }: { readonly group: Group; readonly judged?: boolean }) {
  const { t } = useTranslation('bidding')
  const { filterName, operatorName, valueName } = useWords()
  return (
    <div className={judged ? '' : 'mt-1 pl-5.5'}>
      <p className="text-muted-foreground flex items-center gap-2">
        {judged && <Mark holds={group.holds} />}
        {t(group.condition === 'and' ? 'explain.all' : 'explain.any')}
        {judged && <span className="text-xs">{t(group.holds ? 'explain.holds' : 'explain.fails')}</span>}
      </p>
      <ul className={cn('flex flex-col gap-0.5', judged && 'pl-5.5')}>
        {group.rules.map((rule, index) => (
          <li key={index} className="text-[0.8125rem]/4.5">
            {rule.kind === 'group' ? (
              <GroupVerdict group={rule} judged />
            ) : (
              <span className="flex items-baseline gap-2 wrap-anywhere">
                <Mark holds={rule.holds} className="self-center" />
                <span>{`${filterName(rule.field)} ${operatorName(rule.operator)} ${valueName(rule.field, rule.value)}`}</span>
                <span className="text-muted-foreground text-xs">
                  {t(rule.holds ? 'explain.holds' : 'explain.fails')},{' '}
                  {rule.actual === null
                    ? t('explain.silent')
                    : t('explain.actual', { actual: actualText(rule.actual, (value) => valueName(rule.field, value)) })}
                </span>
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

type One = string | number | boolean
const actualText = (actual: One | readonly One[], nameOf: (value: One) => string) =>
  (typeof actual === 'object' ? actual : [actual]).map(nameOf).join(', ')

const Mark = ({ holds, className }: { readonly holds: boolean; readonly className?: string }) =>
  holds ? (
    <Check aria-hidden className={cn('text-success size-3.5 shrink-0', className)} />
  ) : (
    <X aria-hidden className={cn('text-destructive size-3.5 shrink-0', className)} />
  )
