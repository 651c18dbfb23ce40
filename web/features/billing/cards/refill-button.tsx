import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { HoverTip } from '@/components/hover-tip'
import { Button } from '@/components/ui/button'
import { cardQueries } from './cards-queries.ts'
import { isStripePage } from './stripe-page.ts'

const RefillDialog = lazy(async () => ({ default: (await import('./refill-dialog.tsx')).RefillDialog }))
const AddCardDialog = lazy(async () => ({ default: (await import('./add-card-dialog.tsx')).AddCardDialog }))

type RefillButtonProps = {
  readonly spaceId: string
  /** The address asks for the dialog. */
  readonly opens?: boolean
  readonly onOpened?: () => void
}

/** Opens the refill dialog; disabled with its reason where payments are switched off. */
export function RefillButton({ spaceId, opens = false, onOpened }: RefillButtonProps) {
  const { t } = useTranslation('billing')
  const { data } = useQuery(cardQueries.methods(spaceId))
  const [shown, setShown] = useState<'refill' | 'card' | null>(opens ? 'refill' : null)
  const isOff = data?.isAllowMakePayment === false
  const close = () => {
    setShown(null)
    onOpened?.()
  }
  const button = (
    <Button
      disabled={data === undefined || isOff}
      onClick={() => {
        // The bank may ask for a confirmation, which Stripe's script shows.
        if (data?.provider !== 'stripe' || isStripePage('refill', spaceId)) setShown('refill')
      }}
    >
      <Plus aria-hidden />
      {t('refill.open')}
    </Button>
  )
  return (
    <>
      {isOff ? (
        <HoverTip text={t('cards.off')}>
          <span>{button}</span>
        </HoverTip>
      ) : (
        button
      )}
      <Suspense>
        {shown === 'refill' && <RefillDialog spaceId={spaceId} onClose={close} onAddCard={() => setShown('card')} />}
        {shown === 'card' && <AddCardDialog spaceId={spaceId} onClose={() => setShown('refill')} />}
      </Suspense>
    </>
  )
}
