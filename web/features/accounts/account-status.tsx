import { useTranslation } from 'react-i18next'
import type { AccountRecord } from '#contract/accounts'
import { StatusDot, toneInk } from '@/components/ui/status-dot'
import { cn } from '@/lib/utils'

const STATES = {
  active: 'good',
  suspended: 'bad',
  registered: 'warn',
  approved: 'warn',
  rejected: 'idle',
} as const
const BY_KEY: Readonly<Record<number, keyof typeof STATES>> = { 1: 'registered', 2: 'approved', 3: 'rejected' }

type AccountStatusProps = { readonly account: Pick<AccountRecord, 'suspended' | 'status_key'>; readonly className?: string }

/** The state of an account or registrant, with its dot. */
export function AccountStatus({ account: { suspended, status_key }, className }: AccountStatusProps) {
  const { t } = useTranslation('accounts')
  const state = suspended ? 'suspended' : (BY_KEY[status_key ?? 5] ?? 'active')
  const tone = STATES[state]
  return (
    <span className={cn('inline-flex items-center gap-1.5 font-medium whitespace-nowrap', toneInk(tone), className)}>
      <StatusDot tone={tone} />
      {t(`state.${state}`)}
    </span>
  )
}
