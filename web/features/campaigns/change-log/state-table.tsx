import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { grouped, untouched, type State } from './field-changes.ts'
import { groupLabel, pathLabel } from './log-labels.ts'
import { sayChange } from './said-change.ts'
import { SaidValue } from './said-value.tsx'
import { useNames } from './use-names.ts'

/** Every field of a state that has a value, grouped by the tabs of the form, and how many have none. */
export function StateTable({ state }: { readonly state: State }) {
  const id = useId()
  const { t } = useTranslation('log')
  const all = untouched(state, [])
  const names = useNames(all)
  const fields = all.filter((field) => sayChange(field, names).after.kind !== 'nothing')
  const empty = all.length - fields.length
  return (
    <div className="flex flex-col gap-5">
      {grouped(fields).map(({ group, changes }, index) => (
        <section key={group ?? 'other'} aria-labelledby={`${id}-${index}`}>
          <h3 id={`${id}-${index}`} className="text-xs text-muted-foreground mb-1 font-semibold">
            {groupLabel(group)}
          </h3>
          <dl className="text-[0.8125rem]/4.5">
            {changes.map((field) => (
              <div key={field.path} className="border-border flex gap-4 border-b py-1 last:border-0">
                <dt className="w-60 shrink-0 py-1 font-medium break-words">{pathLabel(field.path)}</dt>
                <dd className="min-w-0 grow">
                  <SaidValue said={sayChange(field, names)} side="after" quiet />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      {empty > 0 && <p className="text-muted-foreground text-xs">{t('asWas.empty', { count: empty })}</p>}
    </div>
  )
}
