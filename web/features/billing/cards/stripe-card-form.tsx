import type { StripeElements } from '@stripe/stripe-js'
import { useLanguage } from '@/i18n/use-language'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Skeleton } from '@/components/ui/skeleton'
import { CardStep, type CardFormProps } from './card-step.tsx'
import { loadStripeScript } from './stripe-page.ts'

type StripeCardFormProps = CardFormProps & { readonly clientToken: string; readonly publishableKey: string }

/** Stripe's own form in its own frame: what is typed goes to Stripe, and Placard gets the id of the card. */
export function StripeCardForm({ clientToken, publishableKey, isPending, problem, onMethod, onClose }: StripeCardFormProps) {
  const { t } = useTranslation(['billing', 'common'])
  const place = useRef<HTMLDivElement>(null)
  const elements = useRef<StripeElements | null>(null)
  const [state, setState] = useState<'loading' | 'ready' | 'blocked' | 'sending'>('loading')
  const [refusal, setRefusal] = useState<string | null>(null)
  const locale = useLanguage()

  useEffect(() => {
    let isOver = false
    void loadStripeScript(publishableKey).then((stripe) => {
      if (isOver || place.current === null) return
      if (stripe === null) return setState('blocked')
      const isDark = document.documentElement.classList.contains('dark')
      elements.current = stripe.elements({
        clientSecret: clientToken,
        locale,
        appearance: { theme: isDark ? 'night' : 'stripe' },
      })
      const form = elements.current.create('payment')
      form.on('ready', () => setState('ready'))
      form.on('loaderror', () => setState('blocked'))
      form.mount(place.current)
    })
    return () => {
      isOver = true
      elements.current?.getElement('payment')?.destroy()
    }
  }, [clientToken, publishableKey, locale])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const stripe = await loadStripeScript(publishableKey)
    if (stripe === null || elements.current === null) return
    setState('sending')
    setRefusal(null)
    const { error, setupIntent } = await stripe.confirmSetup({ elements: elements.current, redirect: 'if_required' })
    setState('ready')
    if (error !== undefined) return setRefusal(error.message ?? t('billing:refill.failures.card_declined'))
    const method = setupIntent.payment_method
    if (method !== null) onMethod(typeof method === 'string' ? method : method.id)
  }
  const shown = state === 'blocked' ? t('billing:cards.blocked') : (refusal ?? problem)
  return (
    <form className="flex min-h-0 flex-col" onSubmit={(event) => void submit(event)}>
      <CardStep isReady={state === 'ready'} isPending={isPending} problem={shown} onClose={onClose}>
        {state === 'loading' && <Skeleton className="h-40" />}
        <div ref={place} hidden={state === 'loading' || state === 'blocked'} />
      </CardStep>
    </form>
  )
}
