import { CircleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Label } from '#contract/labels'
import { LabelChip } from './label-chip.tsx'
import type { Labelable, LabelPlan } from './label-plan.ts'

type LabelPreviewProps = {
  readonly rows: readonly Labelable[]
  readonly labels: readonly Label[]
  readonly plans: ReadonlyMap<string, LabelPlan>
  /** Why a campaign kept its labels. */
  readonly refusals: ReadonlyMap<string, string>
}

const UNCHANGED: Pick<Extract<LabelPlan, { readonly kind: 'changed' }>, 'added' | 'removed'> = { added: [], removed: [] }
const SCROLLABLE = { tabIndex: 0 }

/** Every campaign with the labels that it keeps, gets and loses. */
export function LabelPreview({ rows, labels, plans, refusals }: LabelPreviewProps) {
  const { t } = useTranslation('labels')
  return (
    // A scrollable region must be reachable by keyboard.
    <section aria-label={t('preview')} {...SCROLLABLE} className="border-border max-h-[32vh] overflow-y-auto rounded-lg border">
      <table className="text-[0.8125rem]/4.5 w-full table-fixed border-collapse">
        <caption className="sr-only">{t('preview')}</caption>
        <thead className="text-muted-foreground text-left text-xs">
          <tr className="border-border border-b [&>th]:px-3 [&>th]:py-2 [&>th]:font-medium">
            <th scope="col" className="w-[40%]">
              {t('campaign')}
            </th>
            <th scope="col">{t('title')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const plan = plans.get(row.id)
            const refusal = refusals.get(row.id) ?? (plan?.kind === 'full' ? t('full') : null)
            const changed = plan?.kind === 'changed' ? plan : UNCHANGED
            const added = labels.filter(({ id }) => changed.added.includes(id))
            return (
              <tr
                key={row.id}
                data-testid={`labels-of-${row.id}`}
                className="border-border border-b align-top last:border-0 [&>*]:px-3 [&>*]:py-2"
              >
                <th scope="row" className="text-left font-medium [overflow-wrap:anywhere]">
                  {row.name}
                </th>
                <td>
                  <div className="flex flex-wrap gap-1">
                    {row.labels.map((label) => (
                      <LabelChip key={label.id} label={label} mark={changed.removed.includes(label.id) ? 'removed' : 'kept'} />
                    ))}
                    {added.map((label) => (
                      <LabelChip key={label.id} label={label} mark="added" />
                    ))}
                    {row.labels.length + added.length === 0 && <span className="text-muted-foreground">{t('noLabels')}</span>}
                  </div>
                  {refusal !== null && (
                    <p className="text-warning mt-1 flex gap-1.5 text-xs/4.5">
                      <CircleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
                      {refusal}
                    </p>
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}
