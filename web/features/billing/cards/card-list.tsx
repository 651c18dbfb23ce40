import { useMutation } from '@tanstack/react-query'
import { CreditCard } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { removePaymentMethod, setDefaultPaymentMethod, type PaymentMethodRecord } from '#contract/payments'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { call } from '@/data/client'
import { formatDay } from '@/i18n/format'
import { cn } from '@/lib/utils'
import { changedByCards } from './cards-queries.ts'

export const cardName = ({ brand_label, last4 }: { readonly brand_label: string; readonly last4: string }): string =>
  `${brand_label === 'unrecognized' ? '' : `${brand_label} `}•••• ${last4}`

const expiryText = ({ exp_month, exp_year }: PaymentMethodRecord): string => `${String(exp_month).padStart(2, '0')}/${exp_year}`

type CardListProps = {
  readonly spaceId: string
  readonly cards: readonly PaymentMethodRecord[]
  readonly mayChange: boolean
  readonly mayPay: boolean
}

/** Cards with their brand, number, expiry and state, the default first. */
export function CardList({ spaceId, cards, mayChange, mayPay }: CardListProps) {
  const { t } = useTranslation('billing')
  const [removing, setRemoving] = useState<PaymentMethodRecord | null>(null)
  const meta = { invalidates: changedByCards(spaceId) }
  const makeDefault = useMutation({ meta, mutationFn: (id: string) => call(setDefaultPaymentMethod, { params: { id } }) })
  const remove = useMutation({ meta, mutationFn: (id: string) => call(removePaymentMethod, { params: { id } }) })
  return (
    <>
      <ul aria-label={t('cards.title')} className="divide-border -my-2 flex flex-col divide-y">
        {cards.map((card) => (
          <li key={card.id} data-testid="card" className="flex flex-wrap items-center gap-x-3 gap-y-1 py-3">
            <CreditCard aria-hidden className="text-muted-foreground size-5 shrink-0 stroke-[1.5]" />
            <div className="min-w-0 grow">
              <p className="flex flex-wrap items-center gap-2 font-medium tabular-nums">
                {cardName(card)}
                {card.is_default && <Badge variant="secondary">{t('cards.default')}</Badge>}
                <State of={card} />
              </p>
              <p
                className={cn(
                  'text-muted-foreground text-xs tabular-nums',
                  card.status === 'expired' && 'text-destructive-strong',
                )}
              >
                {t(card.status === 'expired' ? 'cards.expiredOn' : 'cards.expires', { date: expiryText(card) })}
                {' · '}
                {card.last_used_at === null ? t('cards.neverUsed') : t('cards.lastUsed', { day: formatDay(card.last_used_at) })}
              </p>
            </div>
            {mayChange && (
              <div className="flex gap-1">
                {!card.is_default && (
                  <Button
                    variant="ghost"
                    size="sm"
                    disabled={makeDefault.isPending || !mayPay}
                    aria-label={t('cards.makeDefaultNamed', { card: cardName(card) })}
                    onClick={() => makeDefault.mutate(card.id)}
                  >
                    {t('cards.makeDefault')}
                  </Button>
                )}
                <Button
                  variant="ghost"
                  size="sm"
                  disabled={remove.isPending}
                  aria-label={t('cards.removeNamed', { card: cardName(card) })}
                  onClick={() => setRemoving(card)}
                >
                  {t('cards.remove')}
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={removing !== null}
        title={t('cards.removeTitle', { card: removing === null ? '' : cardName(removing) })}
        text={t(removing?.is_default === true && cards.length > 1 ? 'cards.removeDefaultText' : 'cards.removeText')}
        confirm={t('cards.remove')}
        cancel={t('cards.cancel')}
        tone="destructive"
        onCancel={() => setRemoving(null)}
        onConfirm={() => {
          if (removing !== null) remove.mutate(removing.id)
          setRemoving(null)
        }}
      />
    </>
  )
}

function State({ of: { status, expires_soon: soon } }: { readonly of: PaymentMethodRecord }) {
  const { t } = useTranslation('billing')
  if (status === 'expired') return <Badge variant="destructive">{t('cards.expired')}</Badge>
  if (status === 'failed') return <Badge variant="outline">{t('cards.failed')}</Badge>
  return soon ? <Badge variant="outline">{t('cards.expiresSoon')}</Badge> : null
}
