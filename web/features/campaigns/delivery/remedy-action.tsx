import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '../../../../api/contract/campaign-body.ts'
import { sendAction } from '@/app/actions'
import { Button } from '@/components/ui/button'
import { useCan } from '@/session/can'

/** Where a remedy is done: the section of the form. Remedies that are not listed need no action, or are done elsewhere. */
const SECTIONS = {
  publish: 'basicInfo',
  publish_changes: 'basicInfo',
  edit_and_publish: 'basicInfo',
  extend_end_date: 'basicInfo',
  raise_budget: 'basicInfo',
  raise_budget_or_wait: 'basicInfo',
  edit_creative: 'bannerAds',
  edit_schedule: 'frequency',
} as const
const RUN_REMEDIES: readonly string[] = ['run', 'run_or_unarchive']

const isListed = (remedy: string): remedy is keyof typeof SECTIONS => Object.hasOwn(SECTIONS, remedy)

type RemedyActionProps = { readonly campaign: Campaign; readonly remedy: string | null }

/** The action that ends a reason, for users who may take it: a link into the form, or Run. */
export function RemedyAction({ campaign, remedy }: RemedyActionProps) {
  const { t } = useTranslation('delivery')
  const can = useCan()
  const run = useMutation({
    meta: { invalidates: [['campaigns'], ['reports', campaign.id]] },
    mutationFn: () => sendAction('run', campaign.id),
  })
  if (remedy === null) return null
  if (RUN_REMEDIES.includes(remedy))
    return can('campaign.run', campaign) ? (
      <Button variant="outline" size="sm" disabled={run.isPending} onClick={() => run.mutate()}>
        {t('action.run')}
      </Button>
    ) : null
  if (!isListed(remedy) || !can('campaign.write', campaign)) return null
  return (
    <Button asChild variant="outline" size="sm">
      <Link to="/campaign/edit/$id" params={{ id: campaign.id }} search={{ tab: SECTIONS[remedy] }}>
        {t(`action.${remedy}`)}
      </Link>
    </Button>
  )
}
