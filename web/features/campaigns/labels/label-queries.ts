import { queryOptions } from '@tanstack/react-query'
import { labelsOfCampaign, listLabels } from '#contract/labels'
import { campaignQueries } from '@/data/campaign-queries'
import { call } from '@/data/client'

export const labelsKey = () => ['campaigns', 'labels'] as const

/** Queries that show labels: to be asked again after a change. */
export const LABELLED = [labelsKey(), campaignQueries.lists()] as const

/** Labels of an account. */
export const labelsQuery = (spaceId: string) =>
  queryOptions({
    queryKey: [...labelsKey(), 'account', spaceId],
    queryFn: ({ signal }) => call(listLabels, { query: { space_id: spaceId }, signal }),
    staleTime: 60_000,
  })

/** Labels of one campaign, with who added them. */
export const campaignLabelsQuery = (id: string) =>
  queryOptions({
    queryKey: [...labelsKey(), 'campaign', id],
    queryFn: ({ signal }) => call(labelsOfCampaign, { params: { id }, signal }),
  })
