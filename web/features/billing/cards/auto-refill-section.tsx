import { useMutation, useQuery } from '@tanstack/react-query'
import { useFormState, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { saveAutoRefill, type AutoRefillRecord } from '#contract/payments'
import { SwitchField } from '@/components/form/choice-fields'
import { MoneyField } from '@/components/form/fields'
import { markSaved, ShortForm, showFaults, useShortForm } from '@/components/form/short-form'
import { LoadError } from '@/components/load-error'
import { formatMoney } from '@/components/money'
import { SettingsSection } from '@/components/settings-section'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { Skeleton } from '@/components/ui/skeleton'
import { call } from '@/data/client'
import { readDecimal } from '@/i18n/decimal'
import { errorToast } from '@/i18n/error-toast'
import { formatMinute } from '@/i18n/format'
import { toast } from '@/lib/toast'
import { cardQueries, changedByCards } from './cards-queries.ts'
import { failureText } from './failure-text.ts'

type AutoRefillSectionProps = {
  readonly spaceId: string
  readonly mayChange: boolean
  readonly hasCard: boolean
}

/** The automatic refill of an account. */
export function AutoRefillSection({ spaceId, mayChange, hasCard }: AutoRefillSectionProps) {
  const { t } = useTranslation('billing')
  const { data, error, refetch } = useQuery(cardQueries.autoRefill(spaceId))
  return (
    <SettingsSection title={t('autoRefill.title')} text={t('autoRefill.text')}>
      {error !== null && data === undefined ? (
        <LoadError title={t('autoRefill.error')} error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton className="h-32" />
      ) : (
        // A change by another user shows once the form has none of its own.
        <AutoRefillForm
          key={`${data.enabled} ${data.threshold} ${data.amount} ${data.monthly_limit}`}
          spaceId={spaceId}
          saved={data}
          mayChange={mayChange}
          hasCard={hasCard}
        />
      )}
    </SettingsSection>
  )
}

const FIELDS = ['threshold', 'amount', 'monthly_limit'] as const
type Values = { readonly [Field in (typeof FIELDS)[number]]: string } & { readonly enabled: boolean }
/** NaN for what is no number. */
const numberIn = (typed: string): number => readDecimal(typed) ?? Number.NaN

function AutoRefillForm({ spaceId, saved, mayChange, hasCard }: AutoRefillSectionProps & { readonly saved: AutoRefillRecord }) {
  const { t } = useTranslation('billing')
  const { currency, stopped } = saved
  const form = useShortForm<Values>(
    {
      enabled: saved.enabled,
      threshold: String(saved.threshold),
      amount: String(saved.amount),
      monthly_limit: String(saved.monthly_limit),
    },
    (values) =>
      Object.fromEntries(
        FIELDS.map((field) => [field, Number.isFinite(numberIn(values[field])) ? null : t('autoRefill.number')]),
      ),
  )
  const { isDirty } = useFormState({ control: form.control })
  const enabled = useWatch({ control: form.control, name: 'enabled' })
  const save = useMutation({
    meta: { silent: true, invalidates: changedByCards(spaceId) },
    mutationFn: (values: Values) =>
      call(saveAutoRefill, {
        body: {
          enabled: values.enabled,
          threshold: numberIn(values.threshold),
          amount: numberIn(values.amount),
          monthly_limit: numberIn(values.monthly_limit),
          space_id: spaceId,
        },
      }),
    onSuccess: (_, values) => {
      toast.success(t('autoRefill.saved'))
      markSaved(form, values)
    },
    onError: (error) => {
      if (!showFaults(form, error)) errorToast(error)
    },
  })
  const spent = formatMoney(saved.spent_this_month, currency)
  return (
    <ShortForm form={form} currency={currency} onSubmit={(values) => save.mutate(values)} className="flex flex-col gap-4">
      {stopped !== null && (
        <Notice tone="bad">
          <p>
            <strong className="font-medium">{t('autoRefill.stopped', { at: formatMinute(stopped.at) })}</strong>{' '}
            {failureText(t, stopped.failure_code)}
          </p>
        </Notice>
      )}
      <SwitchField<keyof Values>
        name="enabled"
        label={t('autoRefill.enabled')}
        {...(hasCard || enabled ? {} : { help: t('autoRefill.needsCard') })}
        disabled={!mayChange || (!hasCard && !enabled)}
      />
      <div className="grid gap-4 sm:grid-cols-3">
        {FIELDS.map((field) => (
          <MoneyField<keyof Values>
            key={field}
            name={field}
            label={t(`autoRefill.${field}`)}
            {...(field === 'monthly_limit' ? { help: t('autoRefill.spent', { amount: spent }) } : {})}
            disabled={!mayChange}
          />
        ))}
      </div>
      {mayChange && (
        <div className="flex justify-end">
          <Button type="submit" disabled={!isDirty || save.isPending}>
            {t('autoRefill.save')}
          </Button>
        </div>
      )}
    </ShortForm>
  )
}
