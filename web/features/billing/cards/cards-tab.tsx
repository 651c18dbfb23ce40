import { useQuery } from '@tanstack/react-query'
import { CreditCard } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '@/components/load-error'
import { SettingsSection } from '@/components/settings-section'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { Skeleton } from '@/components/ui/skeleton'
import { can } from '@/session/can'
import { useMe } from '@/session/session-queries'
import { AutoRefillSection } from './auto-refill-section.tsx'
import { CardList } from './card-list.tsx'
import { cardQueries } from './cards-queries.ts'
import { RefillsTable } from './refills-table.tsx'
import { isStripePage } from './stripe-page.ts'
import { TestMode } from './test-mode.tsx'

const AddCardDialog = lazy(async () => ({ default: (await import('./add-card-dialog.tsx')).AddCardDialog }))

type CardsTabProps = {
  readonly spaceId: string
  /** The address asks for the dialog that adds a card. */
  readonly opensCard?: boolean
  readonly onOpened?: () => void
}

/** Cards, the automatic refill and the refill history of an account. */
export function CardsTab({ spaceId, opensCard = false, onOpened }: CardsTabProps) {
  const { t } = useTranslation('billing')
  const me = useMe()
  const { data, error, refetch } = useQuery({ ...cardQueries.methods(spaceId), enabled: can(me, 'card.read') })
  const [isAdding, setAdding] = useState(opensCard)
  const mayChange = can(me, 'card.write')
  const mayPay = mayChange && data?.isAllowMakePayment === true
  const cards = data?.paymentMethods ?? []
  const close = () => {
    setAdding(false)
    onOpened?.()
  }
  return (
    <div className="flex flex-col gap-5">
      {data?.provider === 'test' && <TestMode />}
      {data?.isAllowMakePayment === false && (
        <Notice>
          <CreditCard aria-hidden />
          <p>{t('cards.off')}</p>
        </Notice>
      )}
      {can(me, 'card.read') && (
        <SettingsSection
          title={t('cards.title')}
          text={t('cards.text')}
          action={
            mayChange && (
              <Button
                variant="outline"
                disabled={!mayPay}
                onClick={() => {
                  if (data?.provider !== 'stripe' || isStripePage('card', spaceId)) setAdding(true)
                }}
              >
                {t('cards.add')}
              </Button>
            )
          }
        >
          {error !== null && data === undefined ? (
            <LoadError title={t('cards.error')} error={error} onRetry={() => void refetch()} />
          ) : data === undefined ? (
            <Skeleton className="h-14" />
          ) : cards.length === 0 ? (
            <div className="flex flex-col items-center gap-2 py-6 text-center">
              <CreditCard aria-hidden className="text-muted-foreground size-8 stroke-[1.25]" />
              <p className="text-muted-foreground max-w-sm text-pretty">{t('cards.none')}</p>
            </div>
          ) : (
            <CardList spaceId={spaceId} cards={cards} mayChange={mayChange} mayPay={mayPay} />
          )}
        </SettingsSection>
      )}
      {data !== undefined && <AutoRefillSection spaceId={spaceId} mayChange={mayPay} hasCard={cards.length > 0} />}
      <section aria-labelledby="refills" className="flex flex-col gap-3">
        <h2 id="refills" className="text-[15px]/6 font-semibold">
          {t('refills.title')}
        </h2>
        <RefillsTable spaceId={spaceId} />
      </section>
      <Suspense>{isAdding && mayPay && <AddCardDialog spaceId={spaceId} onClose={close} />}</Suspense>
    </div>
  )
}
