import { lazy, memo, Suspense } from 'react'
import type { Campaign } from '#contract/campaign-body'
import { Skeleton } from '@/components/ui/skeleton'
import { useCampaignForm } from './campaign-form-context.ts'
import { FormNav } from './form-nav.tsx'
import type { TabContext, TabKey } from './form-tabs.ts'
import { useBadges } from './use-badges.ts'

const AudienceGauge = lazy(async () => ({ default: (await import('./gauge/audience-gauge.tsx')).AudienceGauge }))

const GAUGE_TO_COME = <Skeleton className="rounded-lg h-36 w-full" />

type FormSectionsProps = {
  readonly tab: TabKey
  readonly context: TabContext
  readonly faulty: ReadonlySet<string>
  readonly campaign: Campaign | null
}

/** The navigation beside the fields. It subscribes to the form itself, so that keystrokes do not re-render all links. */
export const FormSections = memo(function FormSections({ tab, context, faulty, campaign }: FormSectionsProps) {
  const { control } = useCampaignForm()
  return (
    <FormNav tab={tab} context={context} faulty={faulty} badges={useBadges(control, campaign, context)}>
      <Suspense fallback={GAUGE_TO_COME}>
        <AudienceGauge />
      </Suspense>
    </FormNav>
  )
})
