import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { GOALS_BY_TYPE, type CampaignType } from '#domain/campaign/content/options'
import type { Campaign } from '#contract/campaign-body'
import { CampaignForm, type Copied } from './campaign-form.tsx'
import { copyForm } from './form-mapping.ts'
import { useNow } from '@/lib/clock'

const route = getRouteApi('/_app/campaign/create')

export function CampaignCreatePage() {
  const { tab, type } = route.useSearch()
  const source = route.useLoaderData()
  const opened = tab === 'changeLog' ? 'basicInfo' : tab
  if (source !== null) return <Copy key={source.id} source={source} tab={opened} />
  return <CampaignForm key={type} base={type} tab={opened} withLog={false} />
}

type CopyProps = { readonly source: Campaign; readonly tab: Parameters<typeof CampaignForm>[0]['tab'] }

/** A copy exists only in the form until it is saved (decisions G-094). */
function Copy({ source, tab }: CopyProps) {
  const { t } = useTranslation('form')
  const now = useNow()
  const [copied] = useState<Copied>(() => ({
    id: source.id,
    values: copyForm(source, t('copyName', { name: source.name }), new Date(now)),
  }))
  return <CampaignForm base={typeOf(source)} copyOf={copied} tab={tab} withLog={false} />
}

const isType = (text: string): text is CampaignType => Object.hasOwn(GOALS_BY_TYPE, text)
const typeOf = ({ bidding_strategy: { type } }: Campaign): CampaignType => (type !== null && isType(type) ? type : 'awareness')
