import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { saveAutoRefill, type AutoRefillRecord } from '#contract/payments'
import { FieldInput, LabelledField } from '@/components/form/labelled-field'
import { ToggleRow } from '@/components/form/toggle-row'
import { LoadError } from '@/components/load-error'
import { formatMoney } from '@/components/money'
import { SettingsSection } from '@/components/settings-section'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { Skeleton } from '@/components/ui/skeleton'
import { AppError } from '@/data/app-error'
import { call } from '@/data/client'
import { readDecimal } from '@/i18n/decimal'
import { errorText, faultText } from '@/i18n/error-text'
import { formatMinute, symbolOf } from '@/i18n/format'
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
type Field = (typeof FIELDS)[number]

function AutoRefillForm({ spaceId, saved, mayChange, hasCard }: AutoRefillSectionProps & { readonly saved: AutoRefillRecord }) {
  const { t } = useTranslation('billing')
  const { currency, stopped } = saved
  const [enabled, setEnabled] = useState(saved.enabled)
  const [typed, setTyped] = useState<Readonly<Record<Field, string>>>({
    threshold: String(saved.threshold),
    amount: String(saved.amount),
    monthly_limit: String(saved.monthly_limit),
  })
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({})
  const save = useMutation({
    meta: { silent: true, invalidates: changedByCards(spaceId) },
    mutationFn: (values: Readonly<Record<Field, number>>) =>
      call(saveAutoRefill, { body: { ...values, enabled, space_id: spaceId } }),
    onSuccess: () => toast.success(t('autoRefill.saved')),
    onError: (error) => {
      const known = error instanceof AppError ? error.faults : []
      setFaults(Object.fromEntries(known.map((fault) => [fault.path, faultText(fault)])))
      if (known.length === 0) toast.error(errorText(error))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const number = (field: Field) => readDecimal(typed[field]) ?? Number.NaN
    const wrong = FIELDS.filter((field) => !Number.isFinite(number(field)))
    setFaults(Object.fromEntries(wrong.map((field) => [field, t('autoRefill.number')])))
    if (wrong.length === 0)
      save.mutate({ threshold: number('threshold'), amount: number('amount'), monthly_limit: number('monthly_limit') })
  }
  const isChanged = enabled !== saved.enabled || FIELDS.some((field) => typed[field] !== String(saved[field]))
  const spent = formatMoney(saved.spent_this_month, currency)
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      {stopped !== null && (
        <Notice tone="bad">
          <p>
            <strong className="font-medium">{t('autoRefill.stopped', { at: formatMinute(stopped.at) })}</strong>{' '}
            {failureText(t, stopped.failure_code)}
          </p>
        </Notice>
      )}
      <ToggleRow
        label={t('autoRefill.enabled')}
        {...(hasCard || enabled ? {} : { help: t('autoRefill.needsCard') })}
        checked={enabled}
        disabled={!mayChange || (!hasCard && !enabled)}
        onChange={setEnabled}
      />
      {faults['enabled'] !== undefined && (
        <p role="alert" className="text-destructive-strong">
          {faults['enabled']}
        </p>
      )}
      <div className="grid gap-4 sm:grid-cols-3">
        {FIELDS.map((field) => (
          <LabelledField
            key={field}
            label={t(`autoRefill.${field}`)}
            error={faults[field]}
            unit={symbolOf(currency)}
            {...(field === 'monthly_limit' ? { help: t('autoRefill.spent', { amount: spent }) } : {})}
          >
            <FieldInput
              name={field}
              autoComplete="off"
              inputMode="decimal"
              maxLength={20}
              value={typed[field]}
              disabled={!mayChange}
              className="tabular-nums"
              onChange={({ target }) => setTyped((before) => ({ ...before, [field]: target.value }))}
            />
          </LabelledField>
        ))}
      </div>
      {mayChange && (
        <div className="flex justify-end">
          <Button type="submit" disabled={!isChanged || save.isPending}>
            {t('autoRefill.save')}
          </Button>
        </div>
      )}
    </form>
  )
}
