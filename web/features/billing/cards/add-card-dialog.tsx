import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { addPaymentMethod, startCardSetup, type PaymentMethodRecord } from '#contract/payments'
import { CARD_BRANDS } from '#domain/payment/brands'
import { TEST_CARDS } from '#domain/payment/test-cards'
import { DialogFrame } from '@/components/dialog-frame'
import { DialogPanelBody } from '@/components/dialog-panel'
import { LoadError } from '@/components/load-error'
import { Skeleton } from '@/components/ui/skeleton'
import { call } from '@/data/client'
import { errorText } from '@/i18n/error-text'
import { lookUp } from '@/i18n/look-up'
import { toast } from '@/lib/toast'
import { CardStep, type CardFormProps } from './card-step.tsx'
import { cardName } from './card-list.tsx'
import { changedByCards } from './cards-queries.ts'
import { failureOf, failureText } from './failure-text.ts'
import { TestMode } from './test-mode.tsx'

const StripeCardForm = lazy(async () => ({ default: (await import('./stripe-card-form.tsx')).StripeCardForm }))

type AddCardDialogProps = {
  readonly spaceId: string
  readonly onClose: () => void
  readonly onAdded?: (card: PaymentMethodRecord) => void
}

/** Adds a card: with the provider's own form, or a choice of the test gateway's cards. */
export function AddCardDialog({ spaceId, onClose, onAdded }: AddCardDialogProps) {
  const { t } = useTranslation('billing')
  // Each opening is a setup of its own: the provider accepts one card for each.
  const [opened] = useState(() => crypto.randomUUID())
  const setup = useQuery({
    queryKey: ['billing', spaceId, 'setup', opened],
    queryFn: ({ signal }) => call(startCardSetup, { query: { space_id: spaceId }, signal }),
    staleTime: Infinity,
    gcTime: 0,
  })
  const add = useMutation({
    meta: { silent: true, invalidates: changedByCards(spaceId) },
    mutationFn: (provider_method_id: string) =>
      call(addPaymentMethod, { body: { setup_id: setup.data?.setup_id ?? '', provider_method_id, space_id: spaceId } }),
    onSuccess: (card) => {
      toast.success(t('cards.added', { card: cardName(card) }))
      onAdded?.(card)
      onClose()
    },
  })
  const failure = failureOf(add.error)
  const problem = failure !== null ? failureText(t, failure) : add.error === null ? null : errorText(add.error)
  const props = { isPending: add.isPending, problem, onMethod: (id: string) => add.mutate(id), onClose }
  const { data } = setup
  return (
    <DialogFrame title={t('cards.add')} description={t('cards.addText')} onClose={onClose}>
      {setup.error !== null ? (
        <DialogPanelBody>
          <LoadError title={t('cards.setupError')} error={setup.error} onRetry={() => void setup.refetch()} />
        </DialogPanelBody>
      ) : data === undefined ? (
        <DialogPanelBody>
          <Skeleton className="h-40" />
        </DialogPanelBody>
      ) : data.provider === 'test' ? (
        <TestCardForm {...props} />
      ) : data.publishable_key === null ? (
        <DialogPanelBody>
          <p className="pb-3">{t('cards.notConfigured')}</p>
        </DialogPanelBody>
      ) : (
        <Suspense
          fallback={
            <DialogPanelBody>
              <Skeleton className="h-40" />
            </DialogPanelBody>
          }
        >
          <StripeCardForm {...props} clientToken={data.client_token} publishableKey={data.publishable_key} />
        </Suspense>
      )}
    </DialogFrame>
  )
}

function TestCardForm({ isPending, problem, onMethod, onClose }: CardFormProps) {
  const { t } = useTranslation('billing')
  const [chosen, setChosen] = useState(TEST_CARDS[0]?.id ?? '')
  return (
    <form
      className="flex min-h-0 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        onMethod(chosen)
      }}
    >
      <CardStep isPending={isPending} problem={problem} onClose={onClose}>
        <TestMode />
        <fieldset className="flex flex-col gap-1">
          <legend className="mb-1.5 text-[0.8125rem]/4.5 font-medium">{t('cards.testCard')}</legend>
          {TEST_CARDS.map(({ id, brand, last4, outcome }) => (
            <label
              key={id}
              className="border-border hover:bg-muted has-checked:bg-primary-tint has-checked:border-primary-ink flex cursor-pointer items-center gap-3 rounded-md border px-3 py-2"
            >
              <input
                type="radio"
                name="test-card"
                value={id}
                checked={chosen === id}
                onChange={() => setChosen(id)}
                className="accent-primary size-4 shrink-0"
              />
              <span className="grow">{lookUp(`billing:cards.outcomes.${outcome}`) ?? outcome}</span>
              <span className="text-muted-foreground text-xs whitespace-nowrap tabular-nums">
                {CARD_BRANDS[brand]} •••• {last4}
              </span>
            </label>
          ))}
        </fieldset>
      </CardStep>
    </form>
  )
}
