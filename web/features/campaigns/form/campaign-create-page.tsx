import { getRouteApi } from '@tanstack/react-router'
import { CampaignForm } from './campaign-form.tsx'

const route = getRouteApi('/_app/campaign/create')

export function CampaignCreatePage() {
  const { tab, type } = route.useSearch()
  return <CampaignForm key={type} base={type} tab={tab === 'changeLog' ? 'basicInfo' : tab} withLog={false} />
}
