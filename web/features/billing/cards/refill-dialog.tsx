import { useMutation, useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { refill, type PaymentMethodsAnswer, type RefillAnswer } from '#contract/payments'
import { DialogFrame, DialogStep } from '@/components/dialog-frame'
import { DialogPanelBody } from '@/components/dialog-panel'
import { MoneyField, SelectField } from '@/components/form/fields'
import { namedField, ShortForm, showFaults, useShortForm } from '@/components/form/short-form'
import { LoadError } from '@/components/load-error'
import { formatMoney } from '@/components/money'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { call } from '@/data/client'
import { readDecimal } from '@/i18n/decimal'
import { errorText } from '@/i18n/error-text'
import { cardName } from './card-list.tsx'
import { cardQueries, changedByCards } from './cards-queries.ts'
import { failureOf, failureText } from './failure-text.ts'
import { RefillConfirmation } from './refill-confirmation.tsx'
import { TestMode } from './test-mode.tsx'

type RefillDialogProps = {
  readonly spaceId: string
  readonly onClose: () => void
  /** Opens the dialog that adds a card. */
  readonly onAddCard: () => void
}

/** Charges a card: the amount and the card, the confirmation by the bank where it asks for one, and the result. */
export function RefillDialog({ spaceId, onClose, onAddCard }: RefillDialogProps) {
  const { t } = useTranslation('billing')
  const { data: methods, error, refetch } = useQuery(cardQueries.methods(spaceId))
  const [answer, setAnswer] = useState<RefillAnswer | null>(null)
  const [declined, setDeclined] = useState<string | null>(null)
  const charged = answer?.status === 'succeeded' ? formatMoney(answer.amount, answer.currency) : null
  return (
    <DialogFrame guarded title={t('refill.title')} onClose={onClose}>
      {error !== null && methods === undefined ? (
        <DialogPanelBody>
          <LoadError title={t('cards.error')} error={error} onRetry={() => void refetch()} />
        </DialogPanelBody>
      ) : methods === undefined ? (
        <DialogPanelBody>
          <Skeleton className="h-40" />
        </DialogPanelBody>
      ) : charged !== null ? (
        <DialogStep confirm={t('refill.close')} onConfirm={onClose}>
          <output className="flex flex-col items-center gap-2 py-4 text-center">
            <CircleCheck aria-hidden className="text-success size-10 stroke-[1.5]" />
            <p className="text-base font-semibold">{t('refill.done', { amount: charged })}</p>
            <p className="text-muted-foreground text-pretty">{t('refill.doneText')}</p>
          </output>
        </DialogStep>
      ) : answer !== null ? (
        <RefillConfirmation
          answer={answer}
          spaceId={spaceId}
          provider={methods.provider}
          publishableKey={methods.publishable_key}
          onAnswer={setAnswer}
          onDeclined={(reason) => {
            setAnswer(null)
            setDeclined(reason)
          }}
        />
      ) : methods.paymentMethods.length === 0 ? (
        <DialogStep confirm={t('cards.add')} onConfirm={onAddCard} onCancel={onClose}>
          {methods.provider === 'test' && <TestMode />}
          <p>{t('refill.noCard')}</p>
        </DialogStep>
      ) : (
        <RefillForm
          spaceId={spaceId}
          methods={methods}
          declined={declined}
          onAnswer={(next) => {
            setDeclined(null)
            setAnswer(next)
          }}
          onDeclined={setDeclined}
          onClose={onClose}
        />
      )}
    </DialogFrame>
  )
}

type Values = { readonly amount: string; readonly card: string }

/** Null for what is no number. */
function amountIn(typed: string): number | null {
  const amount = readDecimal(typed)
  return amount !== null && Number.isFinite(amount) ? amount : null
}

type RefillFormProps = {
  readonly spaceId: string
  readonly methods: PaymentMethodsAnswer
  /** Why the last attempt failed. */
  readonly declined: string | null
  readonly onAnswer: (answer: RefillAnswer) => void
  readonly onDeclined: (reason: string | null) => void
  readonly onClose: () => void
}

function RefillForm({ spaceId, methods, declined, onAnswer, onDeclined, onClose }: RefillFormProps) {
  const { t } = useTranslation('billing')
  const { currency, limits, paymentMethods: cards, provider } = methods
  const range = { min: formatMoney(limits.min, currency), max: formatMoney(limits.max, currency) }
  const form = useShortForm<Values>(
    { amount: '', card: cards.find(({ status }) => status !== 'expired')?.id ?? cards[0]?.id ?? '' },
    ({ amount }) => {
      const value = amountIn(amount)
      return { amount: value === null || value < limits.min || value > limits.max ? t('refill.range', range) : null }
    },
  )
  const [typed, cardId] = useWatch({ control: form.control, name: ['amount', 'card'] })
  // A repeat after a lost connection is the same payment; another amount, card or attempt after a refusal is another one.
  const [attempt, setAttempt] = useState(0)
  // oxlint-disable-next-line react/exhaustive-deps -- what makes a payment another one
  const key = useMemo(() => crypto.randomUUID(), [typed, cardId, attempt])
  const charge = useMutation({
    meta: { silent: true, invalidates: changedByCards(spaceId) },
    mutationFn: ({ amount, card }: Values) =>
      call(refill, {
        body: { amount: amountIn(amount) ?? 0, payment_method_id: card, space_id: spaceId },
        commandKey: key,
      }),
    onSuccess: onAnswer,
    onError: (error) => {
      const failure = failureOf(error)
      const isShown = showFaults(form, error, { fieldOf: namedField(['amount']) })
      if (failure !== null || isShown) setAttempt((before) => before + 1)
      if (!isShown) onDeclined(failure === null ? errorText(error) : failureText(t, failure))
    },
  })
  const amount = amountIn(typed)
  return (
    <ShortForm
      form={form}
      currency={currency}
      onSubmit={(values) => {
        onDeclined(null)
        charge.mutate(values)
      }}
      className="flex min-h-0 flex-col"
    >
      <DialogStep
        confirm={
          charge.isPending
            ? t('refill.paying')
            : amount === null
              ? t('refill.pay')
              : t('refill.payAmount', { amount: formatMoney(amount, currency) })
        }
        disabled={charge.isPending}
        onCancel={onClose}
      >
        {provider === 'test' && <TestMode />}
        <MoneyField<keyof Values> name="amount" label={t('refill.amount')} help={t('refill.range', range)} />
        <fieldset className="-mt-1 flex flex-wrap gap-2">
          <legend className="sr-only">{t('refill.presets')}</legend>
          {limits.presets.map((preset) => (
            <Button
              key={preset}
              type="button"
              variant="outline"
              size="sm"
              onClick={() => form.setValue('amount', String(preset), { shouldDirty: true, shouldValidate: true })}
            >
              {formatMoney(preset, currency)}
            </Button>
          ))}
        </fieldset>
        <SelectField<keyof Values> name="card" label={t('refill.card')}>
          {cards.map((card) => (
            <option key={card.id} value={card.id} disabled={card.status === 'expired'}>
              {card.status === 'expired' ? t('refill.expired', { card: cardName(card) }) : cardName(card)}
            </option>
          ))}
        </SelectField>
        {declined !== null && (
          <div role="alert" className="bg-destructive-tint text-destructive-strong rounded-lg px-4 py-3">
            <p className="font-medium">{t('refill.declined')}</p>
            <p>{declined}</p>
          </div>
        )}
      </DialogStep>
    </ShortForm>
  )
}
