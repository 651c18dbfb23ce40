import { useTranslation } from 'react-i18next'
import type { TeamMember } from '#contract/team'
import { StatusDot, toneInk } from '@/components/ui/status-dot'
import { cn } from '@/lib/utils'

const TONES = { invited: 'warn', active: 'good', deactivated: 'idle' } as const

/** Whether a person can sign in, with its dot. */
export function TeamState({ state }: Pick<TeamMember, 'state'>) {
  const { t } = useTranslation('team')
  return (
    <span className={cn('inline-flex items-center gap-1.5 font-medium whitespace-nowrap', toneInk(TONES[state]))}>
      <StatusDot tone={TONES[state]} />
      {t(`state.${state}`)}
    </span>
  )
}
