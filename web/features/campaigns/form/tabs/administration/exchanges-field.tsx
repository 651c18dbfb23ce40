import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { EXCHANGES } from '#domain/campaign/content/options'
import { useCampaignForm, useFieldError, useFormBase } from '@/features/campaigns/form/campaign-form-context'

const NAME = 'administration.exchanges'

/** Selects exchanges. An empty selection means all exchanges (decisions G-160). */
export function ExchangesField() {
  const { t } = useTranslation('administration')
  const { control, setValue } = useCampaignForm()
  const { readOnly } = useFormBase()
  const exchanges = useWatch({ control, name: NAME })
  const error = useFieldError(NAME)
  const toggle = (exchange: string, on: boolean) => {
    const known: readonly string[] = EXCHANGES
    const next = on ? [...exchanges, exchange] : exchanges.filter((one) => one !== exchange)
    setValue(
      NAME,
      next.toSorted((a, b) => known.indexOf(a) - known.indexOf(b)),
      { shouldDirty: true },
    )
  }
  return (
    <fieldset className="col-span-2 min-w-0" disabled={readOnly}>
      <legend className="text-[0.8125rem]/4.5 mb-1 font-medium">{t('exchanges')}</legend>
      <div className="flex flex-wrap gap-x-6 gap-y-1">
        {EXCHANGES.map((exchange) => (
          <label key={exchange} className="flex min-h-7 items-center gap-2.5">
            <input
              type="checkbox"
              className="accent-primary size-4"
              checked={exchanges.includes(exchange)}
              onChange={(event) => toggle(exchange, event.target.checked)}
            />
            {t(`exchange.${exchange}`)}
          </label>
        ))}
      </div>
      <p aria-live="polite" className="text-muted-foreground text-xs mt-1">
        {exchanges.length === 0 ? t('exchangesAll') : t('exchangesSome')}
      </p>
      {error !== undefined && <p className="text-destructive text-xs">{error}</p>}
    </fieldset>
  )
}
