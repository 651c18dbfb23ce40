import { ShieldCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { REVIEWED_PATHS } from '#domain/campaign/review/reviewed'
import type { Campaign } from '#contract/campaign-body'
import { useFormBase } from './campaign-form-context.ts'
import { fieldOfPath } from './form-faults.ts'
import { emptyForm } from './form-mapping.ts'
import type { TabKey } from './form-tabs.ts'

const EMPTY = emptyForm('awareness')
const FIELDS: ReadonlySet<string | null> = new Set(
  REVIEWED_PATHS.map((path) => fieldOfPath(path, { banners: [], slices: EMPTY })),
)
const TABS: ReadonlySet<TabKey> = new Set<TabKey>(['basicInfo', 'bannerAds', 'dynamicAds', 'nativeAds', 'videoAds', 'tracks'])

/** Marks are for campaigns with an approved version: before there is one, all of a campaign waits. */
const hasApproved = (campaign: Campaign | null): boolean => (campaign?.approved_version ?? null) !== null

/** Whether a change of this field waits for a moderator while the approved version keeps running. */
export const isReviewedField = (campaign: Campaign | null, name: string): boolean => hasApproved(campaign) && FIELDS.has(name)

/** After the label of a reviewed field. */
export function ReviewedMark() {
  const { t } = useTranslation('form')
  return (
    <span className="inline-flex items-center gap-1">
      <ShieldCheck aria-hidden className="size-3" />
      {t('reviewed')}
    </span>
  )
}

/** Above the reviewed fields of a campaign, and above its ads, which are reviewed as a whole. */
export function ReviewedNote({ tab }: { readonly tab: TabKey }) {
  const { t } = useTranslation('form')
  const { campaign, readOnly } = useFormBase()
  if (readOnly || !TABS.has(tab) || !hasApproved(campaign)) return null
  return (
    <p className="text-muted-foreground flex items-center gap-1.5 text-[0.8125rem]/4.5">
      <ShieldCheck aria-hidden className="size-3.5 shrink-0" />
      {t(tab === 'basicInfo' ? 'reviewedFields' : 'reviewedAds')}
    </p>
  )
}
