import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cn } from '@/lib/utils'
import { useFieldError } from '@/features/campaigns/form/campaign-form-context'
import { AttributionFields } from './attribution-fields.tsx'

/** Rarely changed settings. Open when one of them has an error. */
export function MoreSettings() {
  const { t } = useTranslation('form')
  const [open, setOpen] = useState(false)
  const wrong = [useFieldError('setup.tags'), useFieldError('setup.attribution')].some((error) => error !== undefined)
  const shown = open || wrong
  return (
    <section className="border-border bg-card rounded-lg border">
      <h2>
        <button
          type="button"
          aria-expanded={shown}
          onClick={() => setOpen(!shown)}
          className="flex w-full items-center gap-2 px-6 py-4 text-left text-[15px] leading-5 font-semibold"
        >
          <ChevronRight aria-hidden className={cn('text-muted-foreground size-4 transition-transform', shown && 'rotate-90')} />
          {t('setup.more')}
          <span className="text-muted-foreground text-[0.8125rem]/4.5 ml-auto font-normal">{t('setup.moreLead')}</span>
        </button>
      </h2>
      {shown && (
        <div className="border-border grid grid-cols-2 gap-5 border-t px-6 py-5">
          <AttributionFields />
        </div>
      )}
    </section>
  )
}
