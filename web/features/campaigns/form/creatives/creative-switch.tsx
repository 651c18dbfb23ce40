import type { ReactNode } from 'react'
import { useController } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { ToggleRow } from '@/components/form/toggle-row'
import { useCampaignForm, useFormBase, useFormValue } from '../campaign-form-context.ts'
import { isSame } from './wire-values.ts'

type CreativeHeadProps = {
  readonly slice: 'responsive' | 'native' | 'video'
  /** The slice's values before any input. */
  readonly untouched: object
  readonly title: string
  readonly lead: string
  readonly decision: ReactNode
}

/** The head of a tab: description of the ads, exchange decisions, and the switch that enables them. */
export function CreativeHead({ slice, untouched, title, lead, decision }: CreativeHeadProps) {
  const { t } = useTranslation('creatives')
  const { control } = useCampaignForm()
  const { readOnly } = useFormBase()
  const { field } = useController({ control, name: `${slice}.enabled` })
  const entered = useFormValue(slice)
  // Users who fill everything in easily forget to enable the ads.
  const forgotten = !readOnly && !field.value && !isSame(entered, untouched)
  return (
    <section className="border-border bg-card rounded-lg flex flex-col gap-3 border px-6 py-4">
      <header className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <div>
          <h2 className="text-[15px] leading-5 font-semibold">{title}</h2>
          <p className="text-muted-foreground text-[0.8125rem]/4.5 mt-0.5">{lead}</p>
        </div>
        {decision}
      </header>
      <ToggleRow
        checked={field.value}
        disabled={readOnly}
        label={t('toggle')}
        help={forgotten ? t('toggleForgotten') : t('toggleOff')}
        attention={forgotten}
        onChange={(checked) => field.onChange(checked)}
      />
    </section>
  )
}
