import { useTranslation } from 'react-i18next'
import type { z } from '#contract/zod'
import type { servingDecision } from '#contract/campaign-body'
import { verdictOf } from '#domain/campaign/status/status'
import { StatusDot, toneInk } from '@/components/ui/status-dot'
import { cn } from '@/lib/utils'

export type Decision = z.infer<typeof servingDecision> | null | undefined

const TONES = { approved: 'good', pending: 'warn', disapproved: 'bad' } as const

const topicsOf = (decision: NonNullable<Decision>) => [
  ...new Set(
    [decision.dealsPolicyCompliance, decision.networkPolicyCompliance, decision.platformPolicyCompliance].flatMap(({ topics }) =>
      topics.map(({ policyTopic }) => policyTopic),
    ),
  ),
]

/** Shows the exchanges' decisions about a creative, or nothing before the first decision. */
export function ServingDecision({ decision }: { readonly decision: Decision }) {
  const { t } = useTranslation('creatives')
  if (!decision) return null
  const verdict = verdictOf(decision)
  const topics = topicsOf(decision).join(', ')
  const texts = {
    approved: t('decision.approved'),
    pending: t('decision.pendMessage'),
    disapproved: topics === '' ? t('decision.errMessageBare') : t('decision.errMessage', { topics }),
  }
  return (
    <p className={cn('text-[0.8125rem]/4.5 flex items-center gap-1.5', toneInk(TONES[verdict]))}>
      <StatusDot tone={TONES[verdict]} />
      {texts[verdict]}
    </p>
  )
}
