import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { getRefill, testConfirmation, type RefillAnswer } from '#contract/payments'
import { DialogStep } from '@/components/dialog-frame'
import { formatMoney } from '@/components/money'
import { call } from '@/data/client'
import { errorText } from '@/i18n/error-text'
import { changedByCards } from './cards-queries.ts'
import { failureOf, failureText } from './failure-text.ts'
import { loadStripeScript } from './stripe-page.ts'
import { TestMode } from './test-mode.tsx'

/** How often a payment is read while the bank works on it, milliseconds. */
const POLL_MS = 2000

type RefillConfirmationProps = {
  /** A payment that waits for its user or for the bank. */
  readonly answer: RefillAnswer
  readonly spaceId: string
  readonly provider: 'stripe' | 'test'
  readonly publishableKey: string | null
  readonly onAnswer: (answer: RefillAnswer) => void
  readonly onDeclined: (reason: string) => void
}

/** The confirmation by the bank (3-D Secure): Stripe shows the bank's page, and the test gateway its own. */
export function RefillConfirmation(props: RefillConfirmationProps) {
  const { answer, provider, spaceId, publishableKey, onAnswer, onDeclined } = props
  const { t } = useTranslation('billing')
  const isAsked = answer.status === 'requires_action'
  const isPlayed = isAsked && provider === 'test'
  const { client_token: clientToken } = answer

  const declined = (error: unknown) => {
    const failure = failureOf(error)
    onDeclined(failure === null ? errorText(error) : failureText(t, failure))
  }
  const confirm = useMutation({
    meta: { silent: true, invalidates: changedByCards(spaceId) },
    mutationFn: (outcome: 'complete' | 'fail') => call(testConfirmation, { body: { id: answer.id, outcome } }),
    onSuccess: onAnswer,
    onError: declined,
  })
  const { data } = useQuery({
    queryKey: ['billing', spaceId, 'refill', answer.id],
    queryFn: ({ signal }) => call(getRefill, { params: { id: answer.id }, signal }),
    enabled: !isPlayed,
    refetchInterval: POLL_MS,
    gcTime: 0,
  })
  useEffect(() => {
    if (data?.status === 'succeeded') onAnswer(data)
    if (data?.status === 'failed') onDeclined(failureText(t, data.failure_code ?? 'card_declined'))
  }, [data, onAnswer, onDeclined, t])
  useEffect(() => {
    if (!isAsked || provider !== 'stripe' || publishableKey === null || clientToken === null) return
    // The result is read from the server, whatever the browser says.
    void loadStripeScript(publishableKey).then((stripe) => stripe?.handleNextAction({ clientSecret: clientToken }))
  }, [isAsked, provider, publishableKey, clientToken])

  const amount = formatMoney(answer.amount, answer.currency)
  return (
    <DialogStep
      {...(isPlayed && {
        cancel: t('refill.fail'),
        onCancel: () => !confirm.isPending && confirm.mutate('fail'),
        confirm: t('refill.complete'),
        onConfirm: () => confirm.mutate('complete'),
        disabled: confirm.isPending,
      })}
    >
      {provider === 'test' && <TestMode />}
      <output className="flex flex-col gap-1 py-2">
        <p className="font-medium">{t(isAsked ? 'refill.confirmTitle' : 'refill.processing')}</p>
        <p className="text-muted-foreground text-pretty">
          {t(isPlayed ? 'refill.confirmTest' : isAsked ? 'refill.confirmText' : 'refill.processingText', { amount })}
        </p>
      </output>
    </DialogStep>
  )
}
