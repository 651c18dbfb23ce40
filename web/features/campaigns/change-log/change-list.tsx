import { t } from 'i18next'
import { ArrowRight, Minus, Plus } from 'lucide-react'
import { useId, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldChanges, grouped, type Change, type State } from './field-changes.ts'
import { elementNames, groupLabel, pathLabel } from './log-labels.ts'
import type { Said } from './said.ts'
import { sayChange, type SaidChange } from './said-change.ts'
import { Stretches, ItemName } from './said-value.tsx'
import { useSoon } from './use-soon.ts'
import { useNames } from './use-names.ts'

type ChangeListProps = {
  readonly changes: readonly Change[]
  readonly states: readonly (State | null | undefined)[]
  /** Id of the heading above it, where the page has several such lists. */
  readonly under?: string
}

/** Lists changes as sentences, grouped by the tabs of the form: "Budget: was 20, now 30". */
export function ChangeList({ changes, states, under = '' }: ChangeListProps) {
  const id = useId()
  // Subscribe to the language once, for all sentences below.
  useTranslation('log')
  const shown = useMemo(() => fieldChanges(changes), [changes])
  const soon = useSoon(shown)
  const names = useNames(shown)
  const elementName = elementNames(states)
  return (
    <div className="flex flex-col gap-5">
      {grouped(soon).map(({ group, changes: within }, index) => (
        <section key={group ?? 'other'} aria-labelledby={`${under} ${id}-${index}`.trim()}>
          <h3 id={`${id}-${index}`} className="text-xs text-muted-foreground mb-1 font-semibold">
            {groupLabel(group)}
          </h3>
          <ul className="border-border rounded-lg divide-border divide-y border">
            {within.map((change) => {
              const element = elementName(change.path)
              return (
                <li
                  key={change.path}
                  className="text-[0.8125rem]/4.5 flex gap-4 px-4 py-2.5 [contain-intrinsic-size:auto_39px] [content-visibility:auto]"
                >
                  <div className="w-60 shrink-0 font-medium break-words">
                    {pathLabel(change.path)}
                    {element !== null && <span className="text-muted-foreground text-xs block font-normal">{element}</span>}
                  </div>
                  <div className="min-w-0 grow">
                    <ChangedValue said={sayChange(change, names)} />
                  </div>
                </li>
              )
            })}
          </ul>
        </section>
      ))}
    </div>
  )
}

/** A change as "was, now", or as what was removed and added. */
export function ChangedValue({ said }: { readonly said: SaidChange }) {
  const note = said.erased.before || said.erased.after ? <p className="text-muted-foreground text-xs">{t('log:erased')}</p> : null
  if (said.words !== null)
    return (
      <p className="break-words whitespace-pre-wrap">
        <Stretches stretches={said.words} />
      </p>
    )
  if (said.items !== null)
    return (
      <>
        <ul className="flex flex-col gap-1">
          {said.items
            .filter((each) => each.in !== 'both')
            .map(({ item, in: side }) => {
              const Sign = side === 'before' ? Minus : Plus
              return (
                <li key={`${side} ${item.id}`} className="flex items-center gap-2">
                  <Sign
                    aria-hidden
                    className={side === 'before' ? 'text-destructive size-3.5 shrink-0' : 'text-success size-3.5 shrink-0'}
                  />
                  <span className="sr-only">{t(side === 'before' ? 'log:removed' : 'log:added')}</span>
                  <ItemName item={item} />
                </li>
              )
            })}
        </ul>
        {note}
      </>
    )
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="sr-only">{`: ${t('log:was')} `}</span>
        <Old said={said.before} />
        <ArrowRight aria-hidden className="text-muted-foreground size-3.5 shrink-0 self-center" />
        <span className="sr-only">{`, ${t('log:now')} `}</span>
        <New said={said.after} />
      </p>
      {note}
    </>
  )
}

function Old({ said }: { readonly said: Said }) {
  if (said.kind !== 'text') return <span className="text-muted-foreground">{t('log:nothing')}</span>
  return (
    <del className="text-muted-foreground max-w-full break-words whitespace-pre-wrap tabular-nums decoration-1">{said.text}</del>
  )
}

function New({ said }: { readonly said: Said }) {
  if (said.kind !== 'text') return <span className="text-muted-foreground">{t('log:nothing')}</span>
  return <ins className="max-w-full font-medium break-words whitespace-pre-wrap tabular-nums no-underline">{said.text}</ins>
}
