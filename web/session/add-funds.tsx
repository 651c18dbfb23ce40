import { Link } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { can } from './can.ts'
import { useMe } from './session-queries.ts'

/** Whether the user may refill the account in use by card. */
export function useMayAddFunds(): boolean {
  const me = useMe()
  return can(me, 'card.write') && me.settings.allow_make_payment
}

type AddFundsProps = Pick<ComponentProps<typeof Button>, 'size' | 'variant' | 'className'> & {
  /** In its own tab, so that what is typed on this page stays. */
  readonly beside?: boolean
}

/** Leads to the refill by card; nothing for users who may not make one. */
export function AddFunds({ beside = false, size = 'sm', variant = 'outline', className }: AddFundsProps) {
  const { t } = useTranslation()
  if (!useMayAddFunds()) return null
  return (
    <Button asChild size={size} variant={variant} className={className}>
      <Link
        to="/payments/history"
        search={{ tab: 'cards', open: 'refill' }}
        {...(beside ? { target: '_blank', rel: 'noopener' } : {})}
      >
        {t('addFunds')}
        {beside && <span className="sr-only">{t('newTab')}</span>}
      </Link>
    </Button>
  )
}
