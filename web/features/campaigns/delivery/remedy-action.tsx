import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { sendAction } from '@/app/actions'
import { Button } from '@/components/ui/button'
import { AddFunds } from '@/session/add-funds'
import { useCan, type CampaignSubject } from '@/session/can'

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
  edit_targeting: 'targeting',
} as const
const RUN_REMEDIES: readonly string[] = ['run', 'run_or_unarchive']

const isListed = (remedy: string): remedy is keyof typeof SECTIONS => Object.hasOwn(SECTIONS, remedy)

type RemedyActionProps = {
  readonly campaign: CampaignSubject & { readonly id: string }
  readonly remedy: string | null
  /** `quiet`: as a link in a line of text. */
  readonly look?: 'button' | 'quiet'
}

/** The action that ends a reason, for users who may take it: a link into the form, or Run. */
export function RemedyAction({ campaign, remedy, look = 'button' }: RemedyActionProps) {
  const { t } = useTranslation('delivery')
  const can = useCan()
  const run = useMutation({
    meta: { invalidates: [['campaigns'], ['reports', campaign.id]] },
    mutationFn: () => sendAction('run', campaign.id),
  })
  const button =
    look === 'button'
      ? ({ variant: 'outline', size: 'sm' } as const)
      : ({ variant: 'link', size: 'sm', className: 'text-xs h-auto p-0 font-medium' } as const)
  if (remedy === null) return null
  if (remedy === 'top_up') return <AddFunds {...button} />
  if (RUN_REMEDIES.includes(remedy))
    return can('campaign.run', campaign) ? (
      <Button {...button} disabled={run.isPending} onClick={() => run.mutate()}>
        {t('action.run')}
      </Button>
    ) : null
  if (!isListed(remedy) || !can('campaign.write', campaign)) return null
  return (
    <Button asChild {...button}>
      <Link to="/campaign/edit/$id" params={{ id: campaign.id }} search={{ tab: SECTIONS[remedy] }}>
        {t(`action.${remedy}`)}
      </Link>
    </Button>
  )
}
